page devices
