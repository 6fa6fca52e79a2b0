import { expect } from 'chai'
import sharp from 'sharp'
import WPAPI from 'wpapi'
import { RestError } from '../../core/errors.ts'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { jpeg, type MediaSite, openMediaSite, picture } from './media-site.ts'

const passwordOf = (authorization: string) => atob(authorization.slice('Basic '.length)).split(':')[1] ?? ''

onEachDatabase('wp/v2/media for extensions and clients', (databaseUrl) => {
  let site: MediaSite
  before(async () => {
    site = await openMediaSite(await databaseUrl(), { maxUpload: 3_000_000 })
  })
  after(() => site?.close())

  const filesLike = (part: string) => site.files().filter((file) => file.includes(part))

  describe('hooks', () => {
    it('fire in the order of WordPress, and may refuse', async () => {
      const { hooks } = site.host
      const seen: string[] = []
      const note =
        (name: string) =>
        <Value>(value: Value): Value => {
          seen.push(name)
          return value
        }
      const undo = [
        hooks.addFilter('wp_handle_upload_prefilter', note('prefilter')),
        hooks.addFilter('wp_handle_upload', note('handled')),
        hooks.addAction('add_attachment', () => void seen.push('added')),
        hooks.addAction('rest_insert_attachment', () => void seen.push('rest_insert')),
        hooks.addFilter('wp_generate_attachment_metadata', note('metadata')),
        hooks.addAction('rest_after_insert_attachment', () => void seen.push('rest_after_insert')),
        hooks.addAction('delete_attachment', () => void seen.push('delete')),
      ]
      const { item } = await site.uploadForm(await jpeg(9, 9), 'hooked.jpg')
      await site.send('DELETE', `/wp/v2/media/${item.id}?force=true`)
      for (const one of undo) one()
      expect(seen).to.deep.equal([
        ...['prefilter', 'handled', 'added', 'rest_insert', 'metadata', 'rest_after_insert', 'delete'],
      ])
    })

    it('upload_mimes adds kinds that core does not know; their content must not be of another kind', async () => {
      const undo = site.host.hooks.addFilter('upload_mimes', (types) => ({
        ...types,
        ...{ epub: 'application/epub+zip', glb: 'model/gltf-binary', html: 'text/html' },
      }))
      const book = await site.uploadForm(Buffer.from('PK\x03\x04mimetype'), 'novel.epub')
      const model = await site.uploadForm(Buffer.from('glTF\x02\0\0\0'), 'chair.glb')
      const disguised = await site.uploadForm(await jpeg(9, 9), 'chair.glb')
      const page = await site.uploadForm(Buffer.from('<script>alert(1)</script>'), 'page.html')
      undo()
      expect(book.item).to.include({ mime_type: 'application/epub+zip', media_type: 'file' })
      expect(model.item.mime_type).to.equal('model/gltf-binary')
      expect(disguised.item.mime_type).to.equal('image/jpeg')
      expect((await fetch(String(page.item.source_url))).status).to.equal(404)
    })

    it('image_strip_meta keeps what a photograph tells: the file byte for byte, in its sizes too', async () => {
      const undo = site.host.hooks.addFilter('image_strip_meta', () => false)
      const place = { GPSLatitude: '51/1 30/1 0/1' }
      const signed = picture(900, 600).withExif({ IFD0: { Copyright: 'Ann Author' }, IFD3: place })
      const photo = await signed.clone().jpeg().toBuffer()
      const lying = await signed.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer()
      const kept = await site.uploadForm(photo, 'signed.jpg')
      const turned = await site.uploadForm(lying, 'lying.jpg')
      undo()
      const again = await site.uploadForm(photo, 'unsigned.jpg')
      const read = async (url: unknown) => Buffer.from(await (await fetch(String(url))).arrayBuffer())
      expect((await read(kept.item.source_url)).equals(photo)).to.equal(true)
      const upright = await read(turned.item.source_url)
      const { width, height, orientation = 1 } = await sharp(upright).metadata()
      expect({ width, height, orientation }).to.deep.equal({ width: 600, height: 900, orientation: 1 })
      for (const { item } of [kept, turned]) {
        const sizes = toObject(toObject(item.media_details).sizes)
        expect(sizes).to.include.keys('thumbnail', 'medium')
        for (const size of Object.values(sizes)) {
          const bytes = await read(toObject(size).source_url)
          expect(bytes.includes('Ann Author')).to.equal(true)
          expect((await sharp(bytes).metadata()).orientation ?? 1).to.equal(1)
        }
      }
      expect(upright.includes('Ann Author')).to.equal(true)
      expect((await read(again.item.source_url)).includes('Ann Author')).to.equal(false)
    })

    it('upload_mimes decides what may be uploaded, big_image_size_threshold what is big', async () => {
      const { hooks } = site.host
      const undo = [
        hooks.addFilter('upload_mimes', ({ pdf: _, ...types }) => types),
        hooks.addFilter('big_image_size_threshold', () => 500),
      ]
      const pdf = await site.uploadForm(Buffer.from('%PDF-1.7'), 'a.pdf')
      const image = await site.uploadForm(await jpeg(600, 300), 'small.jpg')
      for (const one of undo) one()
      expect(pdf.status).to.equal(400)
      expect(image.item.media_details).to.include({ width: 500, height: 250 })
    })
  })

  describe('leaves neither file nor record if a callback rejects it', () => {
    const refuse = () => {
      throw new RestError('not_today', 'Not today.', { status: 403 })
    }
    const hooks: Record<string, (registry: MediaSite['host']['hooks']) => () => void> = {
      wp_handle_upload_prefilter: (registry) => registry.addFilter('wp_handle_upload_prefilter', refuse),
      wp_handle_upload: (registry) => registry.addFilter('wp_handle_upload', refuse),
      rest_pre_insert_attachment: (registry) => registry.addFilter('rest_pre_insert_attachment', refuse),
      add_attachment: (registry) => registry.addAction('add_attachment', refuse),
      rest_insert_attachment: (registry) => registry.addAction('rest_insert_attachment', refuse),
      intermediate_image_sizes_advanced: (registry) => registry.addFilter('intermediate_image_sizes_advanced', refuse),
      wp_generate_attachment_metadata: (registry) => registry.addFilter('wp_generate_attachment_metadata', refuse),
    }
    for (const [name, register] of Object.entries(hooks)) {
      it(`in ${name}`, async () => {
        const [filesBefore, before] = [site.files(), await site.send('GET', '/wp/v2/media')]
        const undo = register(site.host.hooks)
        const { status, item } = await site.uploadForm(await jpeg(3000, 400), 'refused.jpg')
        undo()
        expect([status, item.code]).to.deep.equal([403, 'not_today'])
        expect(site.files()).to.deep.equal(filesBefore)
        expect((await site.send('GET', '/wp/v2/media')).headers.get('x-wp-total')).to.equal(
          before.headers.get('x-wp-total'),
        )
      })
    }
  })

  describe('clients written for WordPress', () => {
    it('wpapi uploads, changes and deletes', async () => {
      const client = new WPAPI({
        ...{ endpoint: `${site.url}/wp-json`, username: 'admin', password: passwordOf(site.admin), auth: true },
      })
      const made = await client
        .media()
        .file(await jpeg(320, 240), 'client.jpg')
        .create({ title: 'By wpapi', alt_text: 'Alt' })
      expect(made).to.include({ alt_text: 'Alt', media_type: 'image' })
      const changed = await client.media().id(made.id).update({ caption: 'New' })
      expect(toObject(changed.caption).raw).to.equal('New')
      const deleted = await client.media().id(made.id).delete({ force: true })
      expect(deleted.deleted).to.equal(true)
    })
  })

  it('gives extensions the same with host.content.media', async () => {
    const { content } = site.host
    const post = await content.media.upload(
      { source: await jpeg(320, 240), name: 'from code.jpg' },
      { authorId: 1, title: 'Made' },
    )
    const details = (await content.media.details([post])).get(post.id)
    expect(details?.sizes.medium?.file).to.equal('from-code-300x225.jpg')
    await content.posts.delete(post.id)
    expect(filesLike('from-code')).to.deep.equal([])
    expect(site.waiting()).to.deep.equal([])
  })
})
