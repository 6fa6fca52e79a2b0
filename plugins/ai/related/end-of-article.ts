import { createHtmlParser } from 'pentad'

/** Where a page's article ends, after its closing tag; without one the end of its main part. `undefined` without that. */
export function endOfArticle(html: string): number | undefined {
  let inMain = false
  let depth = 0
  let end: number | undefined
  const parser = createHtmlParser({
    onopentagname(name) {
      if (name === 'main') inMain = true
      if (inMain && name === 'article') depth++
    },
    onclosetag(name) {
      if (!inMain || (name !== 'article' && name !== 'main')) return
      if (name === 'article') depth--
      if (name === 'article' && depth > 0) return
      end = name === 'article' ? parser.endIndex + 1 : parser.startIndex
      parser.pause()
    },
  })
  parser.end(html)
  return end
}
