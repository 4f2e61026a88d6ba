// What is wrong with the texts of the charts of a page, as JSON in #wrong: a text outside of its chart, on another text or on a
// mark, too small, or pale.
addEventListener("load", () => {
    const wrong = [];
    const channels = colour => (colour.match(/[\d.]+/g) || []).map(Number);
    const luminance = colour => channels(colour).slice(0, 3).map(c => c / 255)
        .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const paper = chart => {
        const own = chart.querySelector(".paper");
        if (own)
            return getComputedStyle(own).fill;
        let element = chart;
        while (element && channels(getComputedStyle(element).backgroundColor)[3] === 0)
            element = element.parentElement;
        return element ? getComputedStyle(element).backgroundColor : "rgb(255, 255, 255)";
    };
    const meet = (a, b, by) => a.left + by < b.right && b.left + by < a.right && a.top + by < b.bottom && b.top + by < a.bottom;
    let texts = 0;
    for (const chart of document.querySelectorAll("svg.chart")) {
        const whole = chart.getBoundingClientRect(), scale = whole.width / chart.viewBox.baseVal.width;
        const say = (rule, ...parts) => wrong.push([chart.getAttribute("aria-label"), rule, ...parts]);
        const shown = [...chart.querySelectorAll("text")].map(text => {
            const style = getComputedStyle(text), range = document.createRange();
            range.selectNodeContents(text.firstChild);
            return {text: text.firstChild.data, box: range.getBoundingClientRect(), size: parseFloat(style.fontSize) * scale,
                    colour: style.fill};
        });
        texts += shown.length;
        const behind = luminance(paper(chart));
        for (const [i, {text, box, size, colour}] of shown.entries()) {
            if (box.left < whole.left - 1 || box.right > whole.right + 1 || box.top < whole.top - 2 || box.bottom > whole.bottom + 2)
                say("outside", text);
            if (size < 10)
                say("small", text, size);
            const own = luminance(colour);
            if ((Math.max(own, behind) + 0.05) / (Math.min(own, behind) + 0.05) < 4.5)
                say("pale", text, colour);
            for (const other of shown.slice(0, i))
                if (meet(box, other.box, 1.5 * scale))
                    say("overlap", other.text, text);
        }
        // a line of text is higher than its letters
        for (const mark of chart.querySelectorAll("rect[fill]:not(.paper), path[fill]"))
            for (const {text, box} of shown)
                if (meet(box, mark.getBoundingClientRect(), 5 * scale))
                    say("on a mark", text);
    }
    const at = document.createElement("pre");
    at.id = "wrong";
    at.textContent = JSON.stringify({texts, wrong});
    document.body.append(at);
});
