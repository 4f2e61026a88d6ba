page parameters
