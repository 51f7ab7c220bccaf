/**
 * The width of a text in a sans-serif font. It holds for the fonts that pictures ask for: Helvetica, Arial, Liberation Sans
 * and DejaVu Sans.
 */
export function textWidth(text: string, size: number): number {
  const sum = [...text].reduce(
    (width, character) => width + (widths[character.charCodeAt(0) - 32] ?? others[character] ?? 1000),
    0,
  );
  return (sum * size) / 1000;
}

/** The printable characters of ASCII, in thousandths of the font size: the wider of Liberation Sans and DejaVu Sans. */
const widths = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
  636, 636, 636, 337, 337, 838, 838, 838, 556, 1015, 684, 686, 722, 770, 667, 611, 778, 752, 295, 500, 667, 557, 863,
  748, 787, 667, 787, 722, 667, 611, 732, 684, 989, 685, 667, 685, 390, 337, 390, 838, 556, 500, 613, 635, 550, 635,
  615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
  337, 636, 838,
];

/** Of the other characters, those that pictures add to names. */
const others: Readonly<Record<string, number>> = { '·': 318, '–': 556, '×': 838 };
