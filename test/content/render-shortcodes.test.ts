import { expect } from 'chai'
import type { NewPost, Post } from '../../cms/content/types.ts'
import { type OpenContent, openContentTwice } from './open-content.ts'

const UPLOADS = 'http://127.0.0.1:8080/wp-content/uploads'

describe('shortcodes in a content', () => {
  let site: OpenContent
  /** The same site in another process. */
  let other: OpenContent
  let post: Post
  let map: Post
  let tower: Post
  before(async () => {
    ;[site, other] = await openContentTwice(undefined)
    post = await site.content.posts.insert({ type: 'post', status: 'publish', title: 'With pictures' })
    map = await upload('map', 300, 200, { excerpt: 'The <em>map</em>' })
    tower = await upload('tower', 200, 300, { parentId: post.id })
  })
  after(async () => {
    await other.close()
    await site.close()
  })

  function upload(name: string, width: number, height: number, extra: NewPost = {}): Promise<Post> {
    const file = `2026/01/${name}.png`
    const thumbnail = { file: `${name}-150x150.png`, width: 150, height: 150, 'mime-type': 'image/png' }
    const record = { file, width, height, sizes: { thumbnail } }
    return site.content.posts.insert({
      type: 'attachment',
      status: 'inherit',
      slug: name,
      title: name,
      mimeType: 'image/png',
      meta: { _wp_attached_file: [file], _wp_attachment_metadata: [record], _wp_attachment_image_alt: [name] },
      ...extra,
    })
  }

  async function render(content: string): Promise<string> {
    return site.content.renderContent(await site.content.posts.update(post.id, { content }))
  }

  describe('[gallery]', () => {
    const image = (name: string, more = '') =>
      `<img width="150" height="150" src="${UPLOADS}/2026/01/${name}-150x150.png" ` +
      `class="attachment-thumbnail size-thumbnail" alt="${name}" decoding="async" loading="lazy"${more} />`

    /** The first image of a content is seen at once. */
    const first = (name: string) => image(name).replace(' loading="lazy"', '')

    it('shows the images named in ids, in that order, each linked to its page', async () => {
      const html = await render(`[gallery ids="${tower.id},${map.id}"]`)
      const id = `gallery-${post.id}-${tower.id}-2`
      const caption = `${id}-${map.id}`
      expect(html).to.equal(
        `<div id="${id}" class="gallery galleryid-${post.id} gallery-columns-3 gallery-size-thumbnail">` +
          `<figure class="gallery-item"><div class="gallery-icon portrait"><a href='${site.content.link(tower)}'>${first('tower')}</a></div></figure>` +
          `<figure class="gallery-item"><div class="gallery-icon landscape"><a href='${site.content.link(map)}'>${image('map', ` aria-describedby="${caption}"`)}</a></div>` +
          `<figcaption class="wp-caption-text gallery-caption" id="${caption}">The <em>map</em></figcaption></figure></div>\n\n`,
      )
    })

    it('shows the images as they are when a purge tells that another process has changed them', async () => {
      const html = await render('[gallery]')
      expect(html).to.contain('alt="tower"')
      await other.content.meta.set('post', tower.id, '_wp_attachment_image_alt', 'A lighthouse')
      const { id } = await other.content.posts.insert({
        ...{ type: 'attachment', status: 'inherit', title: 'pier', mimeType: 'image/png', parentId: post.id },
        meta: { _wp_attached_file: ['2026/01/pier.png'], _wp_attachment_image_alt: ['A pier'] },
      })
      const purge = (isPreview: boolean) => {
        const request = { scope: 'urls', urls: [], tags: [`post-${post.id}`], reason: 'test' } as const
        site.hooks.applyFilters('purge_urls', [], request, isPreview, !isPreview)
      }
      purge(true)
      expect(await render('[gallery]')).to.equal(html)
      purge(false)
      const after = await render('[gallery]')
      await other.content.posts.delete(id)
      await other.content.meta.set('post', tower.id, '_wp_attachment_image_alt', 'tower')
      purge(false)
      expect(after).to.contain('alt="A lighthouse"').and.contain('A pier')
    })

    it('has a unique id if the same gallery occurs twice', async () => {
      const shortcode = `[gallery ids="${tower.id},${map.id}"]`
      const html = await render(`${shortcode}\n\n${shortcode}`)
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect(ids).to.have.length(4)
      expect(new Set(ids)).to.have.property('size', 4)
      const described = [...html.matchAll(/aria-describedby="([^"]+)"/g)].map(([, id]) => id)
      expect(described).to.deep.equal(ids.filter((_, at) => at % 2 === 1))
      expect(html.match(/loading="lazy"/g)).to.have.length(3)
      expect(await render(`<p><img src="/a.png"></p>${shortcode}`)).to.contain(image('tower'))
    })

    it('without ids shows the images uploaded to the post', async () => {
      const html = await render('[gallery columns="2" link="none"]')
      expect(html).to.contain('gallery-columns-2').and.to.contain(first('tower'))
      expect(html).not.to.contain('map').and.not.to.contain('<a ')
    })

    it('links to the file and takes another size', async () => {
      const html = await render(`[gallery ids=${map.id} link=file size=full]`)
      expect(html).to.contain(
        `<a href='${UPLOADS}/2026/01/map.png'><img width="300" height="200" src="${UPLOADS}/2026/01/map.png"`,
      )
      expect(html).to.contain('gallery-size-full')
    })

    it('reverses the order, and sorts by the given field', async () => {
      const order = (html: string) => [...html.matchAll(/alt="(\w+)"/g)].map((match) => match[1])
      expect(order(await render(`[gallery ids="${tower.id},${map.id}" order="DESC"]`))).to.deep.equal(['map', 'tower'])
      expect(order(await render(`[gallery ids="${tower.id},${map.id}" orderby="title"]`))).to.deep.equal([
        'map',
        'tower',
      ])
    })

    it('shows nothing where there is nothing to show', async () => {
      expect((await render(`[gallery ids="${post.id},999999"]`)).trim()).to.equal('')
    })

    it('lets no attribute out of its place', async () => {
      const html = await render(`[gallery ids="${map.id}" size='"><script>' columns='2"><b>' link='"onclick=x']`)
      expect(html).to.contain('gallery-columns-3').and.to.contain('gallery-size-script"')
      expect(html).not.to.contain('<script').and.not.to.contain('<b>').and.not.to.contain('onclick')
    })
  })

  describe('[caption]', () => {
    it('makes a figure of an image and the text after it', async () => {
      const html = await render(
        '[caption id="attachment_6" align="alignright" width="300"]<a href="/x"><img src="/a.png" alt="" /></a> Our <em>map</em>[/caption]',
      )
      expect(html).to.equal(
        '<figure id="attachment_6" aria-describedby="caption-attachment-6" style="width: 300px" class="wp-caption alignright">' +
          '<a href="/x"><img decoding="async" src="/a.png" alt="" /></a>' +
          '<figcaption id="caption-attachment-6" class="wp-caption-text">Our <em>map</em></figcaption></figure>\n',
      )
    })

    it('takes the text from the attribute of the older form', async () => {
      const html = await render('[caption width="300" caption="Our map"]<img src="/a.png" alt="" />[/caption]')
      expect(html).to.equal(
        '<figure style="width: 300px" class="wp-caption alignnone"><img decoding="async" src="/a.png" alt="" />' +
          '<figcaption class="wp-caption-text">Our map</figcaption></figure>\n',
      )
    })

    it('without a text or a width is the image alone', async () => {
      expect(await render('[caption width="300"]<img src="/a.png" alt="" />[/caption]'))
        .to.contain('<img')
        .and.not.to.contain('figure')
      expect(await render('[caption]<img src="/a.png" alt="" /> Text[/caption]')).not.to.contain('figure')
    })

    it('cleans a text that came as an attribute', async () => {
      const html = await render(
        `[caption width="300" caption='<img src=x onerror=alert(1)><b>Bold</b>']<img src="/a.png" alt="" />[/caption]`,
      )
      expect(html)
        .to.contain('<figcaption class="wp-caption-text"><b>Bold</b></figcaption>')
        .and.not.to.contain('onerror')
    })
  })

  describe('others', () => {
    it('stay as text if they are unregistered or escaped', async () => {
      expect(await render('[contact-form id="1"] and [[gallery]]')).to.equal(
        '<p>[contact-form id=&#8221;1&#8243;] and [gallery]</p>\n',
      )
    })

    it('stay as they are inside of a tag', async () => {
      expect(await render('<a title="[gallery]">x</a>')).to.equal('<p><a title="[gallery]">x</a></p>\n')
    })

    it('come from extensions by the filter shortcode_tags, with attributes, content and post', async () => {
      const undo = site.hooks.addFilter('shortcode_tags', (all) => ({
        ...all,
        box: ({ attributes, values, content }, { id }) =>
          `<div>${attributes.color} ${values.join('+')} ${content} ${id === post.id}</div>`,
        late: async () => 'LATE',
      }))
      expect(await render('[box Color=red a "b c"]in [late/] it[/box]')).to.equal(
        '<div>red a+b c in LATE it true</div>\n',
      )
      undo()
      expect(await render('[late/]')).to.equal('<p>[late/]</p>\n')
    })

    it('come from content.addShortcode, within others too, until undone', async () => {
      const undo = site.content.addShortcode(
        'box',
        async ({ attributes, content }, { id }) => `<div>${attributes.color} ${content} ${id === post.id}</div>`,
      )
      const undoInner = site.content.addShortcode('in-ner', () => 'INNER')
      expect(await render('[box color="red"]x [in-ner][/box]')).to.equal('<div>red x INNER true</div>\n')
      undoInner()
      expect(await render('[box color="red"]x [in-ner][/box]')).to.equal('<div>red x [in-ner] true</div>\n')
      undo()
      expect(await render('[box/]')).to.equal('<p>[box/]</p>\n')
      expect(() => site.content.addShortcode('a b', () => '')).to.throw('must consist of letters')
    })

    it('stay as text where their handler fails', async () => {
      const undo = site.hooks.addFilter('shortcode_tags', (all) => ({
        ...all,
        broken: () => {
          throw new Error('no')
        },
      }))
      expect(await render('Before [broken] after')).to.equal('<p>Before [broken] after</p>\n')
      expect(await render('Before [broken]kept from some[/broken] after')).to.equal('<p>Before  after</p>\n')
      undo()
    })

    it('that are never closed cost no more than those that are', async () => {
      const count = 20_000
      expect(await render('[caption]'.repeat(count))).to.equal('<p></p>\n')
    })
  })
})
