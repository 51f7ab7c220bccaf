/**
 * Reduces HTML from Markdown to the elements of Markdown without attributes. The texts come from topologies, which may
 * come with a link: everything else, such as links and images, is shown as it is written. A DOM parser would report
 * each event handler in the text to the policy of the page.
 */
export function plainHtml(html: string): string {
  let plain = '';
  let at = 0;
  for (const { 0: tag, 1: slash = '', 2: name = '', index } of html.matchAll(element)) {
    plain += `${html.slice(at, index).replaceAll('<', '&lt;')}<${slash}${name}>`;
    at = index + tag.length;
  }
  return plain + html.slice(at).replaceAll('<', '&lt;');
}

const element =
  /<(\/?)(p|pre|code|ul|ol|li|em|strong|del|br|hr|h[1-6]|blockquote|table|thead|tbody|tr|th|td)(?:\s[^<>]*)?>/g;
