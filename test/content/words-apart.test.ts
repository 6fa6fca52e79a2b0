import { expect } from 'chai'
import { plainText } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'

const CONTENT = [
  '<h2>Our bakery</h2>Since 1901<hr>Every day<div>Bread</div><div>Cake</div><section><h3>Opening hours</h3></section>',
  '<table><tr><th>Day</th><th>Hours</th></tr><tr><td>Mon</td><td>8-12<br>14-18</td></tr></table>',
  '<blockquote><p>Best bread</p><cite>The Gazette</cite></blockquote>',
  '<dl><dt>Rye</dt><dd>Dark</dd></dl>',
  '<figure><img src="/a.jpg" alt=""><figcaption>Boat</figcaption></figure><p>H<sub>2</sub>O</p>',
  // Each without text around it that another element separates.
  'a<header>b</header>c<main>d</main>e<nav>f</nav>g<aside>h</aside>i<address>j</address>k<details>l</details>m<footer>n</footer>o',
].join('')
const WORDS =
  'Our bakery Since 1901 Every day Bread Cake Opening hours Day Hours Mon 8-12 14-18 Best bread The Gazette Rye Dark Boat H2O a b c d e f g h i j k l m n o'

describe('words of neighboring elements', () => {
  let host: TestHost

  before(async () => {
    host = await createTestHost()
  })
  after(() => host.close())

  it('stay apart in automatic excerpts', async () => {
    const { content } = host.host
    const post = await content.posts.insert({ title: 'Bakery', content: CONTENT, status: 'publish' })
    expect(await content.renderExcerpt(post)).to.equal(`<p>${WORDS}</p>\n`)
  })

  it('stay apart in plain text', () => {
    expect(plainText(CONTENT)).to.equal(WORDS)
  })
})
