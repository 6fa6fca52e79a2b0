import { Parser } from 'htmlparser2'
import type { TestHost } from 'pentad/testing'

/** What a crawler reads in the head of a page; every tag as often as it stands there. */
export interface ReadHead {
  readonly status: number
  readonly html: string
  readonly titles: readonly string[]
  /** Content of `<meta>` by `name` or `property`. */
  meta(name: string): readonly string[]
  /** `href` of `<link>` by `rel`. */
  link(rel: string): readonly string[]
  /** Names of all `<meta>`. */
  readonly names: readonly string[]
}

/** Asks for a page as a visitor and reads its head. */
export async function headAt(site: TestHost, path: string): Promise<ReadHead> {
  const answer = await site.get(path)
  return readHead(answer.status, await answer.text())
}

export function readHead(status: number, html: string): ReadHead {
  const titles: string[] = []
  const metas: { name: string; content: string }[] = []
  const links: { rel: string; href: string }[] = []
  let isHead = false
  let isTitle = false
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'head') isHead = true
      if (!isHead) return
      isTitle = tag === 'title'
      if (isTitle) titles.push('')
      const name = attributes.name ?? attributes.property
      if (tag === 'meta' && name !== undefined) metas.push({ name, content: attributes.content ?? '' })
      if (tag === 'link') links.push({ rel: attributes.rel ?? '', href: attributes.href ?? '' })
    },
    ontext(text) {
      if (isTitle) titles.push((titles.pop() ?? '') + text)
    },
    onclosetag(tag) {
      if (tag === 'title') isTitle = false
      if (tag === 'head') isHead = false
    },
  })
  parser.end(html)
  return {
    status,
    html,
    titles,
    meta: (name) => metas.filter((one) => one.name === name).map(({ content }) => content),
    link: (rel) => links.filter((one) => one.rel === rel).map(({ href }) => href),
    names: metas.map(({ name }) => name),
  }
}
