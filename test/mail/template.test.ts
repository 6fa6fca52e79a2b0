import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import sharp from 'sharp'
import { type MailLook, mailHtml } from '../../cms/mail/template.ts'
import { useOwnSite } from '../wp-v2/own-site.ts'

const LOOK: MailLook = {
  ...{ title: 'Ada & co', url: 'https://example.org', language: 'en', direction: 'ltr' },
  ...{ logoUrl: undefined, accent: '#0a4b78' },
}

describe('the look of emails', () => {
  it('escapes the text, links its URLs without the punctuation after them, and keeps its lines', () => {
    const text = 'Hi <b>Ada</b> & all,\nsee https://example.org/?a=1&b="2" (or http://example.net/x).\n\nBye'
    const html = mailHtml('A <subject>', text, LOOK)
    expect(html).to.contain('Hi &lt;b&gt;Ada&lt;/b&gt; &amp; all,<br>\nsee ')
    expect(html).to.contain('<a href="https://example.org/?a=1&amp;b=" style="color:#0a4b78">')
    expect(html).to.contain('<a href="http://example.net/x" style="color:#0a4b78">http://example.net/x</a>).</p>')
    expect(html).to.contain('<title>A &lt;subject&gt;</title>').and.contain('Ada &amp; co')
    expect(html.match(/<p style="margin/g)).to.have.lengthOf(2)
  })

  describe('of a site', () => {
    const site = useOwnSite()
    const send = async (subject: string, more: object = {}) => {
      await site.host.mail.send({ to: 'ada@example.org', subject, text: 'Hello https://example.org/x', ...more })
      const folder = join(site.host.config.siteDir, 'mail')
      const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
      const source = files.find((file) => file.includes(`Subject: ${subject}`)) ?? ''
      const joined = source.replace(/=\r?\n/g, '')
      return joined.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    }

    it('takes its logo and accent color, with the text as an alternative', async () => {
      const plain = await send('Before')
      expect(plain).to.contain('multipart/alternative').and.contain('text/plain').and.contain('text/html')
      expect(plain).to.contain('>My Pentad site</span>').and.not.contain('<img')
      const image = await sharp({ create: { width: 400, height: 100, channels: 3, background: '#c00' } })
        .png()
        .toBuffer()
      const admin = await site.signIn('admin', 'administrator')
      const uploaded = await fetch(`${site.url}/wp-json/wp/v2/media`, {
        method: 'POST',
        headers: {
          Authorization: admin,
          'Content-Disposition': 'attachment; filename="logo.png"',
          'Content-Type': 'image/png',
        },
        body: new Uint8Array(image),
      })
      const { id } = JSON.parse(await uploaded.text())
      await site.ask('POST /wp/v2/settings', { site_logo: id }, admin)
      await site.host.settings.get('appearance')?.update({ lightAccent: '#123456' })
      const branded = await send('After')
      expect(branded).to.match(/<img src="http[^"]*\/logo[^"]*\.png" alt="My Pentad site"/)
      expect(branded).to.contain('border-top:4px solid #123456')
      // Too light to read on white.
      await site.host.settings.get('appearance')?.update({ lightAccent: '#ffee88' })
      expect(await send('Light')).to.contain('border-top:4px solid #0a4b78')
    })

    it('leaves the HTML of an extension as it is', async () => {
      expect(await send('Own', { html: '<p>Mine</p>' }))
        .to.contain('<p>Mine</p>')
        .and.not.contain('border-top')
    })
  })
})
