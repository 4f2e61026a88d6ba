page annotation-events
