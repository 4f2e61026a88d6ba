page devices
page parameters
