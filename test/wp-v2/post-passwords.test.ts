import { expect } from 'chai'
import { type OwnSite, openOwnSite } from './own-site.ts'

describe('passwords of posts over REST', () => {
  let site: OwnSite
  let path: string
  let comments: string
  beforeEach(async () => {
    site = await openOwnSite()
    const { id } = await site.host.content.posts.insert({ title: 'Door', status: 'publish', password: 'sesame' })
    path = `GET /wp/v2/posts/${id}?password=`
    comments = `GET /wp/v2/comments?post=${id}&password=`
  })
  afterEach(() => site.close())

  it('right ones are given as often as one likes', async () => {
    for (let at = 0; at < 30; at++) expect(await site.outcome(`${path}sesame`)).to.equal('200')
  })

  for (const [name, others] of [
    ['the post', () => path],
    ['its comments', () => comments],
  ] as const) {
    it(`twenty wrong ones for ${name} close every way for a while, and a right one tells nothing`, async () => {
      for (let at = 0; at < 20; at++) expect(await site.outcome(`${others()}guess-${at}`)).to.match(/^40[13] /)
      for (const route of [path, comments]) {
        expect(await site.outcome(`${route}sesame`)).to.equal('429 rest_too_many_requests')
        expect(await site.outcome(`${route}guess`)).to.equal('429 rest_too_many_requests')
      }
      const { headers } = await site.ask(`${path}sesame`)
      expect(Number(headers.get('retry-after'))).to.be.within(1, 300)
      const form = new URLSearchParams({ post_password: 'sesame' })
      const given = await fetch(`${site.url}/wp-login.php?action=postpass`, { method: 'POST', body: form })
      expect(given.status).to.equal(429)
      expect(await site.outcome(path.replace(/\?.*/, ''))).to.equal('200')
    })
  }
})
