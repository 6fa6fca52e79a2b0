import { expect } from 'chai'
import type { Post } from '../../cms/content/types.ts'
import { type OpenContent, openContent } from './open-content.ts'

const FOLDER = 'http://127.0.0.1:8080/wp-content/uploads/2026/01'

describe('images in a content', () => {
  let site: OpenContent
  let map: Post
  before(async () => {
    site = await openContent(undefined)
    map = await upload('map', 'image/png')
  })
  after(() => site.close())

  function upload(name: string, mimeType: string): Promise<Post> {
    const file = (own: string, width: number, height: number) => ({ file: own, width, height, 'mime-type': mimeType })
    const sizes = {
      medium: file(`${name}-300x169.png`, 300, 169),
      thumbnail: file(`${name}-150x150.png`, 150, 150),
      large: file(`${name}-1024x576.png`, 1024, 576),
    }
    const record = { file: `2026/01/${name}.png`, width: 1600, height: 900, sizes }
    return site.content.posts.insert({
      type: 'attachment',
      status: 'inherit',
      mimeType,
      meta: { _wp_attached_file: [record.file], _wp_attachment_metadata: [record] },
    })
  }

  async function render(content: string): Promise<string> {
    return site.content.renderContent(await site.content.posts.insert({ type: 'post', status: 'publish', content }))
  }

  it('of the media library get width, height, srcset and sizes, wherever their address says the site is', async () => {
    const html = await render(
      `<img src="https://old.example/wp-content/uploads/2026/01/map-300x169.png" class="size-medium wp-image-${map.id}" alt="" />`,
    )
    expect(html).to.equal(
      '<p><img decoding="async" width="300" height="169" ' +
        `srcset="${FOLDER}/map-300x169.png 300w, ${FOLDER}/map-1024x576.png 1024w, ${FOLDER}/map.png 1600w" ` +
        'sizes="(max-width: 300px) 100vw, 300px" ' +
        `src="https://old.example/wp-content/uploads/2026/01/map-300x169.png" class="size-medium wp-image-${map.id}" alt="" /></p>\n`,
    )
  })

  it('in a gallery have the sizes of its columns', async () => {
    const image = `<figure class="wp-block-image"><img data-id="${map.id}" src="${FOLDER}/map-1024x576.png" class="wp-image-${map.id}" /></figure>`
    const gallery = (classes: string, count: number) =>
      `<figure class="wp-block-gallery ${classes}">${image.repeat(count)}</figure>`
    const sizes = async (content: string) =>
      [...(await render(content)).matchAll(/ sizes="([^"]*)"/g)].map(([, value]) => value)
    const content = [
      gallery('columns-default', 4),
      gallery('columns-default', 2),
      gallery('alignfull columns-5', 1),
      gallery('alignfull columns-8', 1),
    ]
    expect(await sizes(`${content.join('')}${image.replace(/data-id="\d+" /, '')}`)).to.deep.equal([
      ...Array(4).fill('(max-width: 600px) 50vw, (max-width: 1024px) 34vw, 342px'),
      ...Array(2).fill('(max-width: 600px) 50vw, (max-width: 1024px) 50vw, 512px'),
      // Explicit columns stay if there are fewer images; the default theme shows five at most.
      ...Array(2).fill('(max-width: 600px) 50vw, 20vw'),
      '(max-width: 1024px) 100vw, 1024px',
    ])
    // Square pictures of landscapes.
    expect(await sizes(gallery('columns-2 is-cropped', 2))).to.deep.equal(
      Array(2).fill('(max-width: 600px) 89vw, (max-width: 1024px) 89vw, 911px'),
    )
  })

  it('keep every attribute their author gave them', async () => {
    const tag = `<img loading="eager" decoding="sync" width="10" height="5" srcset="a.png 1x" sizes="1px" src="${FOLDER}/map.png" class="wp-image-${map.id}" />`
    expect(await render(tag)).to.equal(`<p>${tag}</p>\n`)
  })

  it('below the first one load when they are needed, if their place is known', async () => {
    const html = await render(
      '<img src="/a.png" width="1" height="1" /><img src="/b.png" width="1" height="1" /><img src="/c.png" />',
    )
    expect(html).to.equal(
      '<p><img decoding="async" src="/a.png" width="1" height="1" /><img decoding="async" loading="lazy" src="/b.png" width="1" height="1" />' +
        '<img decoding="async" src="/c.png" /></p>\n',
    )
  })

  it('from elsewhere, and those whose attachment is gone, get no srcset', async () => {
    expect(await render('<img src="https://elsewhere.example/x.png" class="wp-image-99999" />')).not.to.contain(
      'srcset',
    )
    expect(await render(`<img src="https://elsewhere.example/x.png" class="wp-image-${map.id}" />`)).not.to.contain(
      'srcset',
    )
  })

  it('that are animated are never replaced by smaller still ones', async () => {
    const gif = await upload('dance', 'image/gif')
    expect(await render(`<img src="${FOLDER}/dance.png" class="wp-image-${gif.id}" />`)).not.to.contain('srcset')
  })

  it('in comments, scripts and texts are none', async () => {
    const html = '<!-- <img src="/a.png"> --><script>"<img src=b.png>"</script><textarea><img src="/c.png"></textarea>'
    expect(await render(`<!-- wp:html -->${html}<!-- /wp:html -->`)).to.equal(html)
  })

  it('with a quote in an attribute stay one tag', async () => {
    const html = await render(`<!-- wp:html --><img alt='a > b "c"' src=/a.png><!-- /wp:html -->`)
    expect(html).to.equal(`<img decoding="async" alt='a > b "c"' src=/a.png>`)
  })

  it('follow a change of their attachment at once', async () => {
    const image = await upload('river', 'image/png')
    const tag = `<img src="${FOLDER}/river.png" class="wp-image-${image.id}" />`
    expect(await render(tag)).to.contain('width="1600"')
    await site.content.meta.set('post', image.id, '_wp_attachment_metadata', {
      file: '2026/01/river.png',
      width: 80,
      height: 40,
    })
    expect(await render(tag)).to.contain('width="80"')
    await site.content.posts.delete(image.id)
    expect(await render(tag)).not.to.contain('width=')
  })

  it('frames load when they are needed, if their place is known', async () => {
    expect(
      await render(
        '<!-- wp:html --><iframe src="/x" width="1" height="1"></iframe><iframe src="/y"></iframe><!-- /wp:html -->',
      ),
    ).to.equal('<iframe loading="lazy" src="/x" width="1" height="1"></iframe><iframe src="/y"></iframe>')
  })
})
