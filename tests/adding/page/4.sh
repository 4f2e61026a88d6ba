swap README.md '[trace](docs/how-to/trace.md),' '[toy](docs/how-to/toy.md), [trace](docs/how-to/trace.md),'
