import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { temporaryFolder } from '../support/site-folder.ts'

const REPORT_ONLY = 'content-security-policy-report-only'
const ENFORCED = 'content-security-policy'

/** Scripts in every place where an extension can put one, and sources that it asks for. */
const PRINTER = `import { defineExtension } from 'pentad'
export default defineExtension({ id: 'printer', name: 'Printer', version: '1.0.0', setup({ hooks }) {
  hooks.addAction('wp_head', (output) => {
    output.print('<script>window.first = "<b>"</script><SCRIPT data-x="a>b" type=module>let second</SCRIPT >')
    output.print('<script async src="https://cdn.example/lib.js?a=1&amp;b=2"></script><script src="/own.js"></script>')
    output.print('<script type="application/ld+json">{"third":1}</script>')
  })
  hooks.addAction('wp_footer', (output) => output.print('<script>document.write("<script>fourth</scr" + "ipt>")</script>'))
  hooks.addFilter('page_html', (html, page) =>
    html.replace('</body>', \`<script nonce="\${page.scriptNonce}">fifth()</script><script>unmarked()</script></body>\`))
  hooks.addFilter('content_security_policy', (policy) => ({
    ...policy,
    'script-src': [...(policy['script-src'] ?? []), 'https://plausible.io', "'self'", 'https://evil.example; img-src *'],
    'connect-src': ["'self'"],
    'bad name': ['x'],
  }))
} })`

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

describe('Content security policy of public pages', () => {
  let site: TestHost
  before(async () => {
    const folder = join(temporaryFolder(), 'printer')
    mkdirSync(folder)
    writeFileSync(join(folder, 'index.ts'), PRINTER)
    site = await createTestHost({ extensions: [folder], services: true })
    const text = '<p>Text</p><script>window.fromContent = 1</script>'
    await site.host.content.posts.insert({ title: 'Scripted', content: text, status: 'publish' })
  })
  after(() => site.close())

  const set = (contentSecurityPolicy: string) =>
    site.request('/wp-json/host/v1/settings/host', {
      ...{ method: 'PUT', as: 'administrator', body: { settings: { contentSecurityPolicy } } },
    })
  async function policyOf(path: string): Promise<Map<string, string[]>> {
    const { headers } = await site.get(path)
    const directives = (headers.get(REPORT_ONLY) ?? '').split('; ').map((directive) => directive.split(' '))
    return new Map(directives.map(([name = '', ...sources]) => [name, sources]))
  }

  it('is only reported at first, so that no page breaks', async () => {
    const { headers } = await site.get('/hello-world/')
    expect(headers.get(ENFORCED)).to.equal(null)
    expect(headers.get(REPORT_ONLY))
      .to.contain("script-src 'self'")
      .and.to.contain("object-src 'none'; base-uri 'self'")
  })

  it('allows the inline scripts that code printed, by their hash, and external ones by their origin', async () => {
    const scripts = (await policyOf('/hello-world/?nospeed')).get('script-src')
    expect(scripts).to.include.members([
      ...['window.first = "<b>"', 'let second', 'document.write("<script>fourth</scr" + "ipt>")', 'fifth()'].map(
        hashOf,
      ),
      'https://cdn.example',
    ])
    expect(scripts).not.to.include(hashOf('{"third":1}'))
    expect(scripts?.filter((source) => source.includes('own.js'))).to.deep.equal([])
  })

  it('allows them as the optimizer made them', async () => {
    const answer = await site.get('/hello-world/')
    const inline = [...(await answer.text()).matchAll(/<script(?: data-x[^>]*module| )?>(.*?)<\/script/gis)].map(
      ([, script = '']) => script,
    )
    expect(inline.find((script) => script.includes('first')))
      .to.be.a('string')
      .and.not.contain(' = ')
    for (const name of ['first', 'fourth', 'fifth']) {
      const script = inline.find((text) => text.includes(name)) ?? ''
      expect(answer.headers.get(REPORT_ONLY), name).to.contain(hashOf(script))
    }
  })

  it('allows no scripts of the content, and no untrusted ones', async () => {
    const answer = await site.get('/scripted/?nospeed')
    expect(await answer.text())
      .to.contain('window.fromContent = 1')
      .and.to.contain('unmarked()')
    const policy = answer.headers.get(REPORT_ONLY)
    expect(policy).not.to.contain(hashOf('window.fromContent = 1'))
    expect(policy).not.to.contain(hashOf('unmarked()'))
    expect(policy).not.to.contain('unsafe-inline').and.not.to.contain("'nonce-")
  })

  it('leaves no nonce in a page, and the page as it was printed', async () => {
    const html = await (await site.get('/hello-world/?nospeed')).text()
    expect(html).not.to.contain('nonce=')
    expect(html).to.contain(
      '<script>window.first = "<b>"</script><SCRIPT data-x="a>b" type=module>let second</SCRIPT >',
    )
    expect(html).to.contain('document.write("<script>fourth</scr" + "ipt>")')
  })

  it('never sends the nonce, which is the same for all pages', async () => {
    const nonces: string[] = []
    const undo = site.host.hooks.addFilter('page_html', (html, { scriptNonce }) => {
      nonces.push(scriptNonce)
      return html.replace(
        '</body>',
        `<i nonce='${scriptNonce}'>${scriptNonce}</i><script>"${scriptNonce}"</script></body>`,
      )
    })
    const pages = [await site.get('/hello-world/?nospeed'), await site.get('/?nospeed')]
    undo()
    expect(new Set(nonces).size).to.equal(1)
    for (const page of pages) {
      const html = await page.text()
      expect(html).to.contain(`<i nonce=''></i><script>""</script>`).and.not.to.contain(nonces[0])
    }
  })

  it('sends it neither in a feed nor in the response of an extension', async () => {
    const content = '<!-- wp:archives {"displayAsDropdown":true} /-->'
    const { id } = await site.host.content.posts.insert({ title: 'Archives', content, status: 'publish' })
    expect(await (await site.get('/feed/')).text())
      .to.contain('<script>')
      .and.to.not.contain('nonce')
    await site.host.content.posts.delete(id)
    const undo = site.host.hooks.addAction('template_redirect', (page) => {
      if (page.path === '/own/') page.respond({ body: `<script nonce="${page.scriptNonce}">own()</script>` })
    })
    expect(await (await site.get('/own/')).text()).to.equal('<script>own()</script>')
    undo()
  })

  it('sends it in no header, redirect or bytes', async () => {
    const { hooks } = site.host
    let nonce = ''
    const undo = [
      hooks.addFilter('content_security_policy', (policy, page) => {
        nonce = page.scriptNonce
        return {
          ...policy,
          'script-src': [...(policy['script-src'] ?? []), `'nonce-${nonce}'`, 'https://kept.example'],
        }
      }),
      hooks.addFilter('wp_headers', (headers, page) => ({ ...headers, 'X-Own': `a ${page.scriptNonce} b` })),
      hooks.addFilter('redirect_canonical', (url, page) => `${url}?n=${page.scriptNonce}`),
      hooks.addAction('template_redirect', (page) => {
        const headers = { 'Content-Type': 'image/png', 'X-Given': `c ${page.scriptNonce} d` }
        const body = Buffer.concat([Buffer.from([0xff, 0x00, 0xc3]), Buffer.from(`<b id="${page.scriptNonce}">`)])
        if (page.path === '/own/') page.respond({ headers, body, tags: ['own'] })
        if (page.path === '/away/') page.redirect(`/to/?n=${page.scriptNonce}`)
      }),
    ]
    try {
      const [page, own, away, canonical] = [
        await site.get('/hello-world/?nospeed&own'),
        await site.get('/own/'),
        await site.get('/away/'),
        await site.get('/hello-world'),
      ]
      expect(page.headers.get(REPORT_ONLY)).to.contain('https://kept.example').and.not.to.contain('nonce')
      expect(page.headers.get('x-own')).to.equal('a  b')
      expect(own.headers.get('x-own')).to.equal('a  b')
      expect(own.headers.get('x-given')).to.equal('c  d')
      const bytes = Buffer.from(await own.arrayBuffer())
      expect(bytes).to.deep.equal(Buffer.concat([Buffer.from([0xff, 0x00, 0xc3]), Buffer.from('<b id="">')]))
      expect(away.headers.get('location')).to.match(/\/to\/\?n=$/)
      expect(canonical.headers.get('location')).to.match(/\/hello-world\/\?n=$/)
      expect(nonce).to.match(/^[0-9a-f]{32}$/)
    } finally {
      for (const remove of undo) remove()
    }
  })

  it('does not allow a script because the page was the same with a script that code printed', async () => {
    const rendered = async (attributes: (nonce: string) => string) => {
      const undo = site.host.hooks.addFilter('page_html', (html, { scriptNonce }) =>
        html.replace('</body>', `<script${attributes(scriptNonce)}>sixth()</script></body>`),
      )
      const answer = await site.get('/hello-world/?nospeed')
      undo()
      return { html: await answer.text(), policy: answer.headers.get(REPORT_ONLY) }
    }
    const marked = (nonce: string) => ` nonce="${nonce}"`
    const printed = await rendered(marked)
    expect(await rendered(marked)).to.deep.equal(printed)
    const written = await rendered(() => '')
    expect(written.html).to.equal(printed.html)
    expect(printed.policy).to.contain(hashOf('sixth()'))
    expect(written.policy).not.to.contain(hashOf('sixth()'))
  })

  it('takes what extensions add, and nothing that would begin another directive', async () => {
    const policy = await policyOf('/')
    expect(policy.get('script-src')).to.include('https://plausible.io')
    expect(policy.get('script-src')?.filter((source) => source === "'self'")).to.have.length(1)
    expect(policy.get('connect-src')).to.deep.equal(["'self'"])
    expect([...policy.keys()]).to.deep.equal(['script-src', 'object-src', 'base-uri', 'connect-src'])
  })

  it('is the same from the page cache', async () => {
    const first = await site.get('/scripted/')
    await first.text()
    const again = await site.get('/scripted/')
    expect(again.headers.get('x-cache')).to.be.oneOf(['HIT', 'STALE'])
    expect(again.headers.get(REPORT_ONLY)).to.equal(first.headers.get(REPORT_ONLY))
  })

  it('is enforced, or left out, by one setting, also for pages that are cached', async () => {
    await site.get('/hello-world/')
    expect((await set('enforce')).status).to.equal(200)
    for (const path of ['/hello-world/', '/', '/nowhere/']) {
      const { headers } = await site.get(path)
      expect(headers.get(ENFORCED), path).to.contain("script-src 'self'")
      expect(headers.get(REPORT_ONLY), path).to.equal(null)
    }
    expect((await set('off')).status).to.equal(200)
    const { headers } = await site.get('/hello-world/')
    expect([headers.get(ENFORCED), headers.get(REPORT_ONLY)]).to.deep.equal([null, null])
    expect((await set('sometimes')).status).to.equal(400)
    await set('report-only')
  })
})
