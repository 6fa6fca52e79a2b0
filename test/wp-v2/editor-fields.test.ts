import { expect } from 'chai'
import { toObject } from './gazette.ts'
import { jpeg, type MediaSite, openMediaSite } from './media-site.ts'

describe('what wp/v2 returns to an editor screen (context=edit)', () => {
  let site: MediaSite
  before(async () => {
    site = await openMediaSite()
  })
  after(() => site.close())

  const read = async (path: string) => (await site.send('GET', path)).item
  const labelsOf = async (path: string) => toObject((await read(`${path}?context=edit`)).labels)

  it('the words for a type of posts', async () => {
    expect(await labelsOf('/wp/v2/types/post')).to.include({
      ...{ name: 'Posts', singular_name: 'Post', add_new_item: 'Add New Post', view_item: 'View Post' },
      ...{ item_published: 'Post published.', item_updated: 'Post updated.', parent_item_colon: null },
      ...{ set_featured_image: 'Set featured image', item_link_description: 'A link to a post.', menu_name: 'Posts' },
    })
    expect((await labelsOf('/wp/v2/types/page')).parent_item_colon).to.equal('Parent Page:')
  })

  it('the words for a taxonomy, whether it is a tree or flat', async () => {
    expect(await labelsOf('/wp/v2/taxonomies/category')).to.include({
      ...{ add_new_item: 'Add New Category', parent_item: 'Parent Category', not_found: 'No categories found.' },
      ...{ separate_items_with_commas: null, popular_items: null },
    })
    expect(await labelsOf('/wp/v2/taxonomies/post_tag')).to.include({
      ...{ parent_item: null, separate_items_with_commas: 'Separate tags with commas', popular_items: 'Popular Tags' },
    })
  })

  it('that posts have formats, and pages none', async () => {
    const supports = async (type: string) => toObject((await read(`/wp/v2/types/${type}?context=edit`)).supports)
    expect(await supports('post')).to.include({ 'post-formats': true })
    expect(await supports('page')).not.to.have.property('post-formats')
  })

  it('what meta the posts of a type may have, and what of it the caller may not write', async () => {
    const { content } = site.host
    const shown = { single: true, showInRest: true, objectSubtype: 'page' }
    const undo = [
      content.registerMeta('post', 'stars', {
        ...{ ...shown, type: 'integer', default: 3 },
        ...{ label: 'Stars given', description: 'One to five.' },
      }),
      content.registerMeta('post', 'links', { ...shown, single: false }),
      content.registerMeta('post', '_locked', { ...shown, type: 'boolean' }),
      content.registerMeta('post', 'secret', { ...shown, showInRest: false }),
    ]
    const { properties } = toObject((await read('/wp/v2/types/page?context=edit')).meta_schema)
    for (const one of undo) one()
    expect(Object.keys(toObject(properties))).to.have.members(['stars', 'links', '_locked'])
    expect(toObject(toObject(properties).stars)).to.include({
      type: 'integer',
      title: 'Stars given',
      description: 'One to five.',
      default: 3,
    })
    expect(toObject(toObject(properties).links)).to.deep.include({ type: 'array', items: { type: 'string' } })
    expect(toObject(toObject(properties)._locked)).to.include({ type: 'boolean', readOnly: true })
    expect(await read('/wp/v2/types/page')).not.to.have.any.keys('meta_schema', 'templates')
  })

  it('the templates that the theme offers', async () => {
    const undo = site.host.hooks.addFilter('theme_templates', (all, type) => ({ ...all, [`wide-${type}`]: 'Wide' }))
    expect(toObject((await read('/wp/v2/types/page?context=edit')).templates)).to.include({ 'wide-page': 'Wide' })
    undo()
  })

  it('the logo and the icon of the site, in the index, where they can be embedded', async () => {
    const fields = '_fields=name,site_logo,site_icon,_links,_embedded&_embed'
    expect(await read(`/?${fields}`)).to.deep.include({ site_logo: 0, site_icon: 0 })
    const { item } = await site.uploadForm(await jpeg(30, 30), 'logo.jpg')
    await site.send('POST', '/wp/v2/settings', { site_logo: item.id })
    const index = await read(`/?${fields}`)
    expect(index).to.deep.include({ site_logo: item.id, site_icon: 0 })
    const [logo] = [toObject(index._embedded)['wp:featuredmedia']].flat()
    expect(toObject(logo).source_url).to.equal(item.source_url)
  })

  it('the address of a file, and which of its sizes are missing, until they are made', async () => {
    const { item } = await site.uploadForm(await jpeg(400, 300), 'photo.jpg')
    const path = `/wp/v2/media/${item.id}`
    const told = { permalink_template: `${site.url}/%postname%/`, generated_slug: 'photo' }
    expect(await read(`${path}?context=edit`)).to.deep.include({ ...told, missing_image_sizes: [] })
    expect(await read(path)).not.to.have.any.keys('missing_image_sizes', 'permalink_template', 'generated_slug')

    const { meta } = site.host.content
    const [record] = (await meta.of('post', [Number(item.id)])).get(Number(item.id))?._wp_attachment_metadata ?? []
    await meta.set('post', Number(item.id), '_wp_attachment_metadata', { ...toObject(record), sizes: {} })
    expect((await read(`${path}?context=edit`)).missing_image_sizes).to.deep.equal(['medium', 'thumbnail'])
    await site.send('POST', `${path}/post-process`, { action: 'create-image-subsizes' })
    expect((await read(`${path}?context=edit`)).missing_image_sizes).to.deep.equal([])
  })
})
