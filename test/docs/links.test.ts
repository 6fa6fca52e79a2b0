import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { expect } from 'chai'
import { toString as textOf } from 'mdast-util-to-string'
import { remark } from 'remark'
import remarkGfm from 'remark-gfm'
import { visit } from 'unist-util-visit'

const ROOT = join(import.meta.dirname, '../..')

interface Page {
  readonly links: readonly string[]
  readonly anchors: ReadonlySet<string>
}

describe('The Markdown pages', () => {
  const files = globSync(['*.md', '{docs,examples,deploy}/**/*.md'], { cwd: ROOT })
  const pages = new Map(files.map((file) => [file, readPage(readFileSync(join(ROOT, file), 'utf8'))]))

  it('link only to files and headings that exist', () => {
    const all = [...pages].flatMap(([file, { links }]) => links.map((link) => ({ file, link })))
    expect(all.length).to.be.greaterThan(100)
    const broken = all.filter(({ file, link }) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      if (!existsSync(join(ROOT, target))) return true
      return anchor !== undefined && extname(target) === '.md' && !pages.get(target)?.anchors.has(anchor)
    })
    expect(broken).to.deep.equal([])
  })
})

function readPage(text: string): Page {
  const links: string[] = []
  const anchors = new Set<string>()
  visit(remark().use(remarkGfm).parse(text), (node) => {
    if ((node.type === 'link' || node.type === 'image') && !/^[a-z]+:/.test(node.url)) links.push(node.url)
    if (node.type === 'heading') anchors.add(anchorOf(textOf(node), anchors))
    if (node.type === 'html') for (const [, id = ''] of node.value.matchAll(/<a id="([^"]+)">/g)) anchors.add(id)
  })
  return { links, anchors }
}

/** As GitHub makes it. */
function anchorOf(heading: string, taken: ReadonlySet<string>): string {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
  for (let number = 0; ; number++) {
    const numbered = number === 0 ? anchor : `${anchor}-${number}`
    if (!taken.has(numbered)) return numbered
  }
}
