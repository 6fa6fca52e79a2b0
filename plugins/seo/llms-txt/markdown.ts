/** A page in the file, as plain text. */
export interface ListedPage {
  readonly title: string
  /** Absolute URL. */
  readonly url: string
  /** May be empty. */
  readonly description: string
}

/** A list of pages under a heading. */
export interface Section {
  readonly heading: string
  readonly pages: readonly ListedPage[]
}

/** Characters with a meaning in Markdown. */
const MARKUP = /[\\`*_[\]<>#|~]/g

/**
 * A file in the format of llmstxt.org: the site name as heading, the description as quotation, then lists of links with
 * descriptions. Sections without pages are omitted.
 */
export function writeLlmsTxt({
  title,
  summary,
  sections,
}: {
  title: string
  summary: string
  sections: readonly Section[]
}) {
  const blocks = [`# ${escapeMarkdown(title)}`]
  if (summary !== '') blocks.push(`> ${escapeMarkdown(summary)}`)
  for (const { heading, pages } of sections) {
    if (pages.length > 0) blocks.push(`## ${escapeMarkdown(heading)}\n\n${pages.map(lineOf).join('\n')}`)
  }
  return `${blocks.join('\n\n')}\n`
}

function lineOf({ title, url, description }: ListedPage): string {
  const address = url
    .replace(/[()<>\s]/g, encodeURIComponent)
    .replace(/\(/g, '%28')
    .replace(/\)/g, '%29')
  const link = `- [${escapeMarkdown(title) || address}](${address})`
  return description === '' ? link : `${link}: ${escapeMarkdown(description)}`
}

/** Text on one line, escaped for Markdown. */
function escapeMarkdown(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(MARKUP, '\\$&')
}
