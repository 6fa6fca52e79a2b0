import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { jpeg, type MediaSite, openMediaSite } from './media-site.ts'

const month = new Date().toISOString().slice(0, 7).replace('-', '/')

onEachDatabase('wp/v2/media, deleting', (databaseUrl) => {
  let site: MediaSite
  before(async () => {
    site = await openMediaSite(await databaseUrl(), { maxUpload: 3_000_000 })
  })
  after(() => site?.close())

  const filesLike = (part: string) => site.files().filter((file) => file.includes(part))

  describe('DELETE /wp/v2/media/<id>', () => {
    it('wants force, because files have no trash', async () => {
      const { item } = await site.uploadForm(await jpeg(30, 30), 'plain.jpg')
      const { status, item: refusal } = await site.send('DELETE', `/wp/v2/media/${item.id}`)
      expect([status, refusal.code]).to.deep.equal([501, 'rest_trash_not_supported'])
    })

    it('leaves nothing behind while the sizes of the image are made', async () => {
      const { hooks, content } = site.host
      const { item } = await site.uploadForm(await jpeg(3000, 1500), 'at-once.jpg')
      let deleted: Promise<unknown> | undefined
      const undo = hooks.addFilter('intermediate_image_sizes_advanced', (sizes) => {
        deleted ??= content.posts.delete(Number(item.id))
        return sizes
      })
      const answer = await site.send('POST', `/wp/v2/media/${item.id}/post-process`, {
        action: 'create-image-subsizes',
      })
      undo()
      await deleted
      // Where the database is slow the sizes are made before it is gone.
      expect(answer.item.code ?? answer.status).to.be.oneOf(['rest_unknown_attachment', 200])
      expect(filesLike('/at-once')).to.deep.equal([])
    })

    it('leaves nothing behind of a file that is only just uploaded', async () => {
      const { hooks, content } = site.host
      const undo = hooks.addAction('add_attachment', (id) => content.posts.delete(id).then(() => {}))
      const answer = await site.uploadForm(await jpeg(400, 400), 'too-soon.jpg')
      undo()
      expect([answer.status, answer.item.code]).to.deep.equal([404, 'rest_unknown_attachment'])
      expect(filesLike('/too-soon')).to.deep.equal([])
    })

    it('removes the sizes of an image whose process died before it could say which it had made', async () => {
      const { item } = await site.uploadForm(await jpeg(3000, 1500), 'cut-short.jpg')
      const other = await site.uploadForm(await jpeg(400, 400), 'cut-short.jpg')
      await site.host.content.meta.delete('post', Number(item.id), '_wp_attachment_metadata')
      await site.host.content.meta.set('post', Number(item.id), '_wp_attached_file', `${month}/cut-short.jpg`)
      await site.send('DELETE', `/wp/v2/media/${item.id}?force=true`)
      expect(filesLike('/cut-short')).to.deep.equal([
        ...[`${month}/cut-short-1-150x150.jpg`, `${month}/cut-short-1-300x300.jpg`, `${month}/cut-short-1.jpg`],
      ])
      expect((await fetch(String(other.item.source_url))).status).to.equal(200)
    })

    it('removes every file, those of others not, and lets no post show it', async () => {
      const { item } = await site.uploadForm(await jpeg(3000, 1500), 'gone.jpg')
      const other = await site.uploadForm(await jpeg(400, 400), 'gone.jpg')
      const post = await site.host.content.posts.insert({
        ...{ title: 'With thumbnail', status: 'publish', authorId: 1 },
        meta: { _thumbnail_id: [Number(item.id)] },
      })
      expect(filesLike('/gone').length).to.be.greaterThan(8)
      const { status, item: answer } = await site.send('DELETE', `/wp/v2/media/${item.id}?force=true`)
      expect(status).to.equal(200)
      expect(answer.deleted).to.equal(true)
      expect(toObject(answer.previous).id).to.equal(item.id)
      expect(filesLike('/gone')).to.deep.equal([
        ...[`${month}/gone-1-150x150.jpg`, `${month}/gone-1-300x300.jpg`, `${month}/gone-1.jpg`],
      ])
      expect((await fetch(String(other.item.source_url))).status).to.equal(200)
      expect(await site.host.content.meta.get('post', post.id, '_thumbnail_id')).to.equal(undefined)
    })

    it("never removes another attachment's file nor one outside the uploads, whatever the metadata says", async () => {
      const { content } = site.host
      const victim = await site.uploadForm(await jpeg(400, 400), 'victim.jpg')
      const { item } = await site.uploadForm(await jpeg(30, 30), 'liar.jpg')
      await content.meta.set('post', Number(item.id), '_wp_attachment_metadata', {
        sizes: { a: { file: 'victim.jpg' }, b: { file: 'victim-150x150.jpg' }, c: { file: '../../../options.json' } },
        original_image: '../../../options.json',
      })
      await site.send('DELETE', `/wp/v2/media/${item.id}?force=true`)
      expect((await fetch(String(victim.item.source_url))).status).to.equal(200)
      expect(filesLike('victim-150x150')).to.have.length(1)
      expect(filesLike('liar')).to.deep.equal([])
      expect((await site.send('GET', '/wp/v2/settings')).status).to.equal(200)
    })
  })
})
