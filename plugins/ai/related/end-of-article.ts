import { createHtmlParser } from 'pentad'

/**
 * Position after the closing tag of the article; otherwise the end of the main part; `undefined` if there is neither.
 */
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
