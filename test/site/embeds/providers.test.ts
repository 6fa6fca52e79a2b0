import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { createProviders } from '../../../cms/site/embeds/providers.ts'
import { createHooks } from '../../../core/hooks/index.ts'
import { shownContent } from './oembed-server.ts'

describe('The providers of embeds', () => {
  const { find } = createProviders(createHooks(), 'https://me.example/')
  const endpoints: Record<string, string | undefined> = {
    'https://www.youtube.com/watch?v=1': 'https://www.youtube.com/oembed',
    'http://m.youtube.com/shorts/1': 'https://www.youtube.com/oembed',
    'https://YOUTU.be/1': 'https://www.youtube.com/oembed',
    'https://vimeo.com/1': 'https://vimeo.com/api/oembed.{format}',
    'https://player.vimeo.com/video/1': 'https://vimeo.com/api/oembed.{format}',
    'https://twitter.com/ann/status/1?s=20': 'https://publish.twitter.com/oembed',
    'https://x.com/ann': 'https://publish.twitter.com/oembed',
    'https://open.spotify.com/track/1': 'https://embed.spotify.com/oembed/',
    'https://www.tiktok.com/@ann/video/1': 'https://www.tiktok.com/oembed',
    'https://bsky.app/profile/ann.test/post/1': 'https://embed.bsky.app/oembed',
    'https://ann.tumblr.com/post/1': 'https://www.tumblr.com/oembed/1.0',
    'https://videopress.com/v/1': 'https://public-api.wordpress.com/oembed/?for=https%3A%2F%2Fme.example%2F',
    'https://www.youtube.com/': undefined,
    'https://youtube.com.evil.example/watch?v=1': undefined,
    'https://evil.example/x.vimeo.com/1': undefined,
    'https://evil.example/?u=https://vimeo.com/1': undefined,
    'https://vimeo.com.evil.example/1': undefined,
    'https://www.facebook.com/ann/posts/1': undefined,
    [`https://vimeo.com/${'1'.repeat(2000)}`]: undefined,
  }
  for (const [url, endpoint] of Object.entries(endpoints)) {
    it(`${endpoint ?? 'none'} for ${url.slice(0, 60)}`, () => {
      expect(find(url)).to.equal(endpoint)
    })
  }

  describe('content.addOembedProvider', () => {
    let site: TestHost
    before(async () => {
      site = await createTestHost({ extensions: [join(import.meta.dirname, 'own-videos.extension.ts')] })
    })
    after(() => site?.close())

    it('adds one for as long as the extension is active', async () => {
      const content = 'https://own.invalid/watch/1\n\nhttps://short.invalid/7\n\nhttps://own.invalid/other'
      const links = async () =>
        [...(await shownContent(site, content)).matchAll(/<a href="([^"]+)"/g)].map(([, to]) => to)
      expect(await links()).to.deep.equal(['https://own.invalid/watch/1', 'https://short.invalid/7'])
      await site.expectNoLeaks('own-videos')
      await site.host.extensions.deactivate('own-videos')
      expect(await links()).to.deep.equal([])
    })

    it('takes an https endpoint only', () => {
      const add = (endpoint: string) => site.host.content.addOembedProvider('https://a.test/*', endpoint)
      expect(() => add('http://a.test/oembed')).to.throw(TypeError)
      expect(() => add('nonsense')).to.throw(TypeError)
      add('https://a.test/oembed.{format}')()
    })
  })
})
