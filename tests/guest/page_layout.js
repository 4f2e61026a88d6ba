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
    // Every text is readable: a contrast of 4.5 to 1 (WCAG 2.1, 1.4.3) with what is behind it.
    const channels = colour => (colour.match(/[\d.]+/g) || []).map(Number);
    const luminance = colour => channels(colour).slice(0, 3).map(c => c / 255)
        .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = element => {
        for (; element; element = element.parentElement) {
            const colour = getComputedStyle(element).backgroundColor;
            if (channels(colour).length === 3 || channels(colour)[3] === 1)
                return colour;
        }
        return "rgb(255, 255, 255)";
    };
    const pale = new Set();
    for (const element of document.querySelectorAll("body *")) {
        if (![...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()) || element.closest("title, script"))
            continue;
        const style = getComputedStyle(element);
        const [a, b] = [luminance(element.closest("svg") ? style.fill : style.color), luminance(behind(element))];
        if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5)
            pale.add(`${element.localName}.${element.className.baseVal ?? element.className} in ${element.closest("section")?.id}`);
    }
    say(["pale texts", ...pale].join(" "));
    say(`background ${luminance(getComputedStyle(document.body).backgroundColor) < 0.5 ? "dark" : "light"}`);
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
