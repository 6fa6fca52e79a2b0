/** Claim: an uncached post page has at least a quarter of the throughput of a minimal Koa app that sends the same bytes. */
import { compare, startServer } from './load.ts'

const pentad = await startServer('pentad-site.ts')
const { url } = JSON.parse(pentad.line)
const posts: { link: string }[] = JSON.parse(
  await (await fetch(`${url}/wp-json/wp/v2/posts?per_page=1&orderby=id&order=asc`)).text(),
)
const [post] = posts
if (!post) throw new Error('the site has no posts')
const body = await (await fetch(post.link)).text()
const koa = await startServer('koa-app.ts', { BODY: body, BODY_TYPE: 'html' })
try {
  compare(`Uncached post page of ${Buffer.byteLength(body)} bytes`, { url: post.link }, { url: koa.line }, 1 / 4)
} finally {
  pentad.stop()
  koa.stop()
}
