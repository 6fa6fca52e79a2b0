import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

describe('README', () => {
  it('shows the source of a new extension as it is, in fewer than 30 lines', () => {
    const source = read('create-pentad-extension/template/index.ts')
    expect(source.trimEnd().split('\n').length).to.be.lessThan(30)
    expect(read('README.md')).to.contain(`\`\`\`ts\n${source.trimEnd()}\n\`\`\``)
  })

  it('links only to files that exist', () => {
    const links = [...read('README.md').matchAll(/\]\((?!http)([^)#]+)/g)].map(([, path = '']) => path)
    expect(links.length).to.be.greaterThan(5)
    for (const link of links) expect(() => read(link), link).to.not.throw()
  })
})
