// Appended to a page by test_html.sh: what a reader does, and what may go wrong. Each result is an element of #results.
document.addEventListener("DOMContentLoaded", () => {
    const results = document.createElement("ul");
    results.id = "results";
    const say = text => {
        const line = document.createElement("li");
        line.textContent = text;
        results.append(line);
    };
    const root = document.documentElement;
    say(`width ${root.scrollWidth <= root.clientWidth ? "fits" : root.scrollWidth + " in " + root.clientWidth}`);
    for (const picture of document.querySelectorAll("svg"))
        for (const text of picture.querySelectorAll("text")) {
            const box = text.getBoundingClientRect(), whole = picture.getBoundingClientRect();
            if (box.right > whole.right + 1)
                say(`outside of its chart: ${text.textContent}`);
        }
    const table = document.querySelector("#services table.sortable");
    const column = i => [...table.tBodies[0].rows].map(row => row.cells[i].textContent.replace(/[,\s%]/g, ""));
    const ordered = values => values.every((v, i) => i === 0 || Number(values[i - 1]) >= Number(v));
    table.tHead.rows[0].cells[1].click();
    say(`sorted by time ${ordered(column(1))}`);
    table.tHead.rows[0].cells[1].click();
    say(`sorted the other way ${ordered(column(1).reverse())}`);
    const field = document.querySelector("#services .search");
    field.value = "clock int";
    field.dispatchEvent(new Event("input", {bubbles: true}));
    const shown = [...table.tBodies[0].rows].filter(row => !row.hidden).map(row => row.cells[0].textContent);
    say(`found ${shown.join("|")}`);
    field.value = "";
    field.dispatchEvent(new Event("input", {bubbles: true}));
    say(`found again ${[...table.tBodies[0].rows].every(row => !row.hidden)}`);
    say(`errors ${window.pageErrors.length}${window.pageErrors.map(e => " " + e)}`);
    document.body.append(results);
});
