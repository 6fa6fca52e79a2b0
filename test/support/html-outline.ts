import { Parser } from 'htmlparser2'

/** Attributes by which two pages are the same to a reader, a link checker and a style sheet. */
const COMPARED = [
  ...[
    'id',
    'for',
    'href',
    'src',
    'srcset',
    'alt',
    'title',
    'rel',
    'target',
    'aria-label',
    'aria-current',
    'aria-hidden',
  ],
  ...['type', 'name', 'value', 'action', 'method', 'datetime', 'placeholder', 'colspan', 'width', 'height', 'data-id'],
]
/** Their insides are pictures and code of each product. */
const CLOSED = new Set(['svg', 'script', 'style'])
/** Numbers that are given out while a page is made, or that a database gives out. */
const NUMBERED =
  /\b(wp-container-|wp-elements-|wp-block-gallery-|wp-block-search__input-|wp-block-archives-|wp-block-categories-|modal-|gallery-(?=\d)|comment-|div-comment-|tag-link-(?=\d)|wp-image-)[\da-f-]+\b/g

/**
 * What a page is made of, one line for each element and text: `a.page-numbers href="/2/"`. Classes are in order of the
 * alphabet, white space does not count.
 */
export function outlineOf(html: string): string[] {
  const lines: string[] = []
  const open: string[] = []
  let text = ''
  const flush = () => {
    const words = text.replaceAll(/\s+/g, ' ').trim()
    if (words !== '' && !open.some((name) => CLOSED.has(name))) lines.push(`${'  '.repeat(open.length)}"${words}"`)
    text = ''
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      flush()
      const isWithin = open.some((one) => CLOSED.has(one))
      if (!isWithin && name !== 'script' && name !== 'style')
        lines.push('  '.repeat(open.length) + describe(name, attributes))
      open.push(name)
    },
    ontext(part) {
      text += part
    },
    onclosetag() {
      flush()
      open.pop()
    },
  })
  parser.end(html)
  flush()
  return lines
}

function describe(name: string, attributes: Readonly<Record<string, string>>): string {
  const classes = [...new Set((attributes.class ?? '').split(/\s+/))]
    .filter((one) => one !== '')
    .map((one) => one.replace(NUMBERED, '$1N'))
    // A class that WordPress needs for its rules in the page; here the element has the style itself.
    .filter((one) => one !== 'wp-container-N')
    .sort()
  const compared = COMPARED.flatMap((key) => {
    const value = attributes[key]?.replace(NUMBERED, '$1N')
    return value === undefined || value === '' ? [] : [`${key}="${avatar(value)}"`]
  })
  return [[name, ...classes].join('.'), ...compared].join(' ')
}

/** Avatars are found by a hash of the e-mail address there, of the name here. */
function avatar(value: string): string {
  return value.replaceAll(/https?:\/\/[a-z0-9]+\.gravatar\.com\/avatar\/[0-9a-f]+/g, 'avatar')
}
