"""Clusters basic-block vectors as SimPoint does, with k-means, and writes its three files.

    kmeans.py FILE.bb K PREFIX        writes PREFIX.simpoints, PREFIX.weights, PREFIX.labels; prints the sum of each line
"""
import random
import sys


def read_vectors(name: str) -> list[dict[int, float]]:
    """The vectors of FILE.bb, each of length 1 in sum."""
    vectors = []
    with open(name, encoding="ascii") as file:
        for line in file:
            assert line.startswith("T:") and line.endswith(" \n"), line[:40]
            pairs = [part.split(":")[1:] for part in line[1:].split()]
            counts = {int(block): int(count) for block, count in pairs}
            assert len(counts) == len(pairs) and min(counts) >= 1
            total = sum(counts.values())
            print(total)
            vectors.append({block: count / total for block, count in counts.items()})
    return vectors


def project(vectors: list[dict[int, float]], dimensions: int = 15) -> list[list[float]]:
    """Random projection, as SimPoint's."""
    draw = random.Random(1)
    rows: dict[int, list[float]] = {}
    points = []
    for vector in vectors:
        point = [0.0] * dimensions
        for block in sorted(vector):
            if block not in rows:
                rows[block] = [draw.uniform(-1, 1) for _ in range(dimensions)]
            for i in range(dimensions):
                point[i] += vector[block] * rows[block][i]
        points.append(point)
    return points


def distance(a: list[float], b: list[float]) -> float:
    """Squared distance."""
    return sum((x - y) ** 2 for x, y in zip(a, b))


def main() -> None:
    """Cluster the file named on the command line."""
    points = project(read_vectors(sys.argv[1]))
    centers = [points[0]]
    while len(centers) < int(sys.argv[2]):
        centers.append(max(points, key=lambda point: min(distance(point, center) for center in centers)))
    labels: list[int] = []
    for _ in range(20):
        labels = [min(range(len(centers)), key=lambda i: distance(point, centers[i])) for point in points]
        for i in range(len(centers)):
            members = [point for point, label in zip(points, labels) if label == i]
            if members:
                centers[i] = [sum(column) / len(members) for column in zip(*members)]
    used = sorted(set(labels))
    with open(sys.argv[3] + ".simpoints", "w", encoding="ascii") as file:
        for i in used:
            own = [n for n, label in enumerate(labels) if label == i]
            print(min(own, key=lambda n: distance(points[n], centers[i])), i, file=file)
    with open(sys.argv[3] + ".weights", "w", encoding="ascii") as file:
        for i in used:
            print(labels.count(i) / len(labels), i, file=file)
    with open(sys.argv[3] + ".labels", "w", encoding="ascii") as file:
        for point, label in zip(points, labels):
            print(label, distance(point, centers[label]) ** 0.5, file=file)


main()
