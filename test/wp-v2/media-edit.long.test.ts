import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { jpeg, type MediaSite, openMediaSite } from './media-site.ts'

const month = new Date().toISOString().slice(0, 7).replace('-', '/')

onEachDatabase('wp/v2/media, changing what is there', (databaseUrl) => {
  let site: MediaSite
  before(async () => {
    site = await openMediaSite(await databaseUrl(), { maxUpload: 3_000_000 })
  })
  after(() => site?.close())

  const sizesOf = (item: Readonly<Record<string, unknown>>) => toObject(toObject(item.media_details).sizes)
  const filesLike = (part: string) => site.files().filter((file) => file.includes(part))

  describe('POST /wp/v2/media/<id>', () => {
    it('changes what is said about a file', async () => {
      const { item } = await site.uploadForm(await jpeg(30, 30), 'plain.jpg')
      const changed = await site.send('POST', `/wp/v2/media/${item.id}`, {
        title: { raw: 'New' },
        alt_text: 'Alt',
        caption: 'C',
      })
      expect(changed.status).to.equal(200)
      expect(changed.item).to.include({ alt_text: 'Alt', source_url: item.source_url })
      expect(changed.item.title).to.include({ raw: 'New' })
      const put = await site.send('PUT', `/wp/v2/media/${item.id}`, { description: 'D' })
      expect(put.item.description).to.include({ raw: 'D' })
      expect(put.item.title).to.include({ raw: 'New' })
    })

    it('accepts a complete record as it was read, even from users who may not edit the parent post', async () => {
      const author = await site.signIn('sender', 'author')
      const parent = await site.host.content.posts.insert({ title: 'Parent', status: 'publish', authorId: 1 })
      const { item } = await site.uploadForm(await jpeg(30, 30), 'back.jpg', {}, author)
      const path = `/wp/v2/media/${item.id}`
      const attached = (await site.send('POST', path, { post: parent.id })).item
      const again = await site.send('PUT', path, { ...attached, alt_text: 'New' }, author)
      expect([again.status, again.item.status, again.item.post]).to.deep.equal([200, 'inherit', parent.id])
      expect(again.item).to.include({ alt_text: 'New', slug: item.slug })
      const { item: seen } = await site.send('GET', path, undefined, '')
      const ofVisitor = await site.send('POST', path, { ...seen, alt_text: 'Newer' }, author)
      expect([ofVisitor.status, ofVisitor.item.alt_text]).to.deep.equal([200, 'Newer'])
      expect(ofVisitor.item.title).to.deep.equal(attached.title)
      const unknown = await site.send('POST', path, { status: 'nope' })
      expect([unknown.status, unknown.item.code]).to.deep.equal([400, 'rest_invalid_param'])
      const other = await site.host.content.posts.insert({ title: 'Other', status: 'publish', authorId: 1 })
      const moved = await site.send('POST', path, { post: other.id }, author)
      expect([moved.status, moved.item.code]).to.deep.equal([403, 'rest_cannot_edit'])
    })

    it('does not overwrite a version that the client has not seen', async () => {
      const { item } = await site.uploadForm(await jpeg(30, 30), 'plain.jpg')
      const seen = { title: 'x', modified_gmt: '2020-01-01T00:00:00' }
      const { status, item: refusal } = await site.send('POST', `/wp/v2/media/${item.id}`, seen)
      expect([status, refusal.code]).to.deep.equal([409, 'rest_post_modified'])
      const current = { title: 'x', modified_gmt: item.modified_gmt }
      expect((await site.send('POST', `/wp/v2/media/${item.id}`, current)).status).to.equal(200)
    })

    it("is for those who may edit it; others' files are not for authors", async () => {
      const { item } = await site.uploadForm(await jpeg(30, 30), 'plain.jpg')
      const author = await site.signIn('author', 'author')
      const edit = await site.send('POST', `/wp/v2/media/${item.id}`, { title: 'x' }, author)
      expect([edit.status, edit.item.code]).to.deep.equal([403, 'rest_cannot_edit'])
      const remove = await site.send('DELETE', `/wp/v2/media/${item.id}?force=true`, undefined, author)
      expect([remove.status, remove.item.code]).to.deep.equal([403, 'rest_cannot_delete'])
      const unknown = await site.send('POST', '/wp/v2/media/99999', { title: 'x' })
      expect([unknown.status, unknown.item.code]).to.deep.equal([404, 'rest_post_invalid_id'])
    })
  })

  describe('POST /wp/v2/media/<id>/post-process', () => {
    it('makes the sizes that a site has now', async () => {
      const { item } = await site.uploadForm(await jpeg(800, 600), 'again.jpg')
      const undo = site.host.hooks.addFilter('intermediate_image_sizes_advanced', () => ({
        teaser: { width: 600, height: 200, crop: true },
      }))
      const answer = await site.send('POST', `/wp/v2/media/${item.id}/post-process`, {
        action: 'create-image-subsizes',
      })
      undo()
      expect(answer.status).to.equal(200)
      expect(Object.keys(sizesOf(answer.item))).to.deep.equal(['teaser', 'full'])
      expect(filesLike('/again')).to.deep.equal([`${month}/again-600x200.jpg`, `${month}/again.jpg`])
    })
  })

  describe('POST /wp/v2/media/<id>/edit', () => {
    it('makes a new image by turning and cropping', async () => {
      const { item } = await site.uploadForm(await jpeg(400, 200), 'edit-me.jpg', { alt_text: 'Alt' })
      const { status, item: edited } = await site.send('POST', `/wp/v2/media/${item.id}/edit`, {
        src: item.source_url,
        modifiers: [
          { type: 'rotate', args: { angle: 90 } },
          { type: 'crop', args: { left: 0, top: 0, width: 50, height: 50 } },
        ],
      })
      expect(status).to.equal(201)
      expect(edited.id).to.not.equal(item.id)
      expect(edited.source_url).to.match(/edit-me-edited\.jpg$/)
      expect(edited.media_details).to.include({ width: 100, height: 200 })
      expect(edited.alt_text).to.equal('Alt')
    })

    it('turns to any angle, but makes no image that is too large to be one', async () => {
      const { item } = await site.uploadForm(await jpeg(6000, 6000), 'edit-me.jpg')
      const turn = (...angles: number[]) =>
        site.send('POST', `/wp/v2/media/${item.id}/edit`, {
          src: item.source_url,
          modifiers: angles.map((angle) => ({ type: 'rotate', args: { angle } })),
        })
      const askew = await turn(45, 45, 45, 45, 45)
      expect([askew.status, askew.item.code]).to.deep.equal([400, 'rest_image_rotation_failed'])
      const { item: edited } = await turn(-90 - 360 * 1e9)
      expect(edited.media_details).to.include({ width: 2560, height: 2560 })
    })

    it('refuses an edit that changes nothing', async () => {
      const { item } = await site.uploadForm(await jpeg(40, 20), 'edit-me.jpg')
      const answer = await site.send('POST', `/wp/v2/media/${item.id}/edit`, { src: item.source_url })
      expect([answer.status, answer.item.code]).to.deep.equal([400, 'rest_image_not_edited'])
    })
  })
})
