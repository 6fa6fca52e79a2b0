import { join } from 'node:path'
import { expect } from 'chai'
import { createPages } from '../../website/pages.ts'

const ROOT = join(import.meta.dirname, '../..')
const LINK = /\]\((\/[^)#\s]*)/g

describe('The pages of the documentation site', () => {
  it('include guides, references and examples, and link to nothing outside of the site', async () => {
    const pages = await createPages(ROOT)
    expect([...pages.keys()]).to.include.members([
      ...['index.md', 'guides/deployment.md', 'reference/hooks.md', 'examples/reading-time.md', 'sidebar.json'],
      ...['public/source/deploy/nginx.conf.txt', 'public/source/Dockerfile.txt'],
    ])
    const links = [...pages].flatMap(([page, text]) =>
      page.endsWith('.md') ? [...text.matchAll(LINK)].map(([, link = '']) => ({ page, link: link.slice(1) })) : [],
    )
    expect(links.length).to.be.greaterThan(50)
    const isIncluded = (link: string) =>
      pages.has(link) || pages.has(`public/${link}`) || link.startsWith('docs/images/')
    expect(links.filter(({ link }) => !isIncluded(link))).to.deep.equal([])
  })

  it('leave code as it is', async () => {
    const pages = await createPages(ROOT)
    expect(pages.get('examples/reading-time.md')).to.contain("export default defineExtension({\n  id: 'reading-time'")
    expect(pages.get('index.md')).to.match(/<p class="my-extension">\$\{escapeHtml\(/)
  })
})
