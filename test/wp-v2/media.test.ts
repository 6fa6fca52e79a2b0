import { createHash } from 'node:crypto'
import { expect } from 'chai'
import sharp from 'sharp'
import WPAPI from 'wpapi'
import { RestError } from '../../core/errors.ts'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { jpeg, type MediaSite, openMediaSite, picture } from './media-site.ts'

const passwordOf = (authorization: string) => atob(authorization.slice('Basic '.length)).split(':')[1] ?? ''

const month = new Date().toISOString().slice(0, 7).replace('-', '/')

onEachDatabase('wp/v2/media, writing', (databaseUrl) => {
  let site: MediaSite
  before(async function () {
    this.timeout(60_000)
    site = await openMediaSite(await databaseUrl(), { maxUpload: 3_000_000 })
  })
  after(() => site.close())

  const sizesOf = (item: Readonly<Record<string, unknown>>) => toObject(toObject(item.media_details).sizes)
  const sizeOf = (item: Readonly<Record<string, unknown>>, name: string) => toObject(sizesOf(item)[name])
  const filesLike = (part: string) => site.files().filter((file) => file.includes(part))

  describe('POST /wp/v2/media', () => {
    it('takes a file of a form with what is said about it', async () => {
      const fields = {
        title: 'A sunset',
        alt_text: 'Sun over <b>sea</b>',
        caption: 'In May',
        description: 'Long',
        slug: 'sun',
      }
      const { status, headers, item } = await site.uploadForm(await jpeg(800, 600), 'Mein Foto.JPG', fields)
      expect(status).to.equal(201)
      expect(headers.get('location')).to.equal(`${site.url}/wp-json/wp/v2/media/${item.id}`)
      expect(item).to.include({
        slug: 'sun',
        status: 'inherit',
        type: 'attachment',
        alt_text: 'Sun over sea',
        media_type: 'image',
        mime_type: 'image/jpeg',
        source_url: `${site.url}/wp-content/uploads/${month}/Mein-Foto.jpg`,
        post: null,
        author: 1,
      })
      expect(item.title).to.include({ raw: 'A sunset' })
      expect(item.caption).to.include({ raw: 'In May' })
      expect(item.description).to.include({ raw: 'Long' })
      expect(item.guid).to.include({ raw: item.source_url })
      expect(item.media_details).to.include({ width: 800, height: 600, file: `${month}/Mein-Foto.jpg` })
    })

    it('takes a body with Content-Disposition, and names the attachment as the file', async () => {
      const { status, item } = await site.uploadBody(await jpeg(40, 30), {
        'content-type': 'image/jpeg',
        'content-disposition': 'attachment; filename="harbour at night.jpeg"',
      })
      expect(status).to.equal(201)
      expect(item.source_url).to.match(/\/harbour-at-night\.jpeg$/)
      expect(item.title).to.include({ raw: 'harbour at night' })
    })

    it('reads names in other alphabets from filename* (RFC 5987)', async () => {
      const { item } = await site.uploadBody(await jpeg(40, 30), {
        'content-type': 'image/jpeg',
        'content-disposition': `attachment; filename="x.jpg"; filename*=UTF-8''%D0%9C%D0%BE%D1%81%D1%82.jpg`,
      })
      expect(item.source_url).to.equal(`${site.url}/wp-content/uploads/${month}/${encodeURIComponent('Мост')}.jpg`)
      expect((await fetch(String(item.source_url))).status).to.equal(200)
    })

    it('makes the sizes of WordPress, and none that is larger than the image', async () => {
      const { item } = await site.uploadForm(await jpeg(1600, 900), 'map.jpg')
      const sizes = Object.fromEntries(
        Object.entries(sizesOf(item)).map(([name, size]) => [
          name,
          [toObject(size).file, toObject(size).width, toObject(size).height],
        ]),
      )
      expect(sizes).to.deep.equal({
        medium: ['map-300x169.jpg', 300, 169],
        large: ['map-1024x576.jpg', 1024, 576],
        thumbnail: ['map-150x150.jpg', 150, 150],
        medium_large: ['map-768x432.jpg', 768, 432],
        '1536x1536': ['map-1536x864.jpg', 1536, 864],
        full: ['map.jpg', 1600, 900],
      })
      for (const size of Object.values(sizesOf(item))) {
        const { source_url: url, width, height } = toObject(size)
        const file = await sharp(await (await fetch(String(url))).arrayBuffer()).metadata()
        expect([file.width, file.height]).to.deep.equal([width, height])
      }
    })

    it('scales big images down for visitors and keeps the whole one', async () => {
      const { item } = await site.uploadForm(await jpeg(3000, 1500), 'big.jpg')
      expect(item.media_details).to.include({ width: 2560, height: 1280, file: `${month}/big-scaled.jpg` })
      expect(item.source_url).to.match(/\/big-scaled\.jpg$/)
      expect(sizeOf(item, '2048x2048').file).to.equal('big-2048x1024.jpg')
      expect(filesLike('/big')).to.include(`${month}/big.jpg`)
    })

    it('turns images upright and tells of the camera, never of the place', async () => {
      const photo = await picture(600, 400)
        .withExif({
          IFD0: { Model: 'Pocket 3', Orientation: '6', ImageDescription: 'At the <b>quay</b>', Copyright: 'Ann' },
          IFD2: { FNumber: '28/10', ISOSpeedRatings: '200', DateTimeDigitized: '2026:01:31 12:00:00' },
          IFD3: {
            GPSLatitudeRef: 'N',
            GPSLatitude: '51/1 30/1 0/1',
            GPSLongitudeRef: 'W',
            GPSLongitude: '0/1 7/1 0/1',
          },
        })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer()
      expect(photo.includes('Pocket 3')).to.equal(true)
      const { item } = await site.uploadForm(photo, 'quay.jpg')
      expect(item.media_details).to.include({ width: 400, height: 600 })
      expect(toObject(item.media_details).image_meta).to.include({
        camera: 'Pocket 3',
        copyright: 'Ann',
        aperture: '2.8',
        iso: '200',
        created_timestamp: String(Date.UTC(2026, 0, 31, 12) / 1000),
        orientation: '1',
      })
      expect(item.caption).to.include({ raw: 'At the quay' })
      for (const file of filesLike('/quay')) {
        const bytes = Buffer.from(await (await fetch(`${site.url}/wp-content/uploads/${file}`)).arrayBuffer())
        const { exif, xmp, iptc, orientation } = await sharp(bytes).metadata()
        expect({ exif, xmp, iptc, orientation }, file).to.deep.equal({
          ...{ exif: undefined, xmp: undefined, iptc: undefined, orientation: undefined },
        })
        expect(bytes.includes('Pocket 3'), file).to.equal(false)
      }
    })

    it('keeps the pixels of an upright photograph as they are, without what tells of the place', async () => {
      const photo = await picture(200, 100)
        .withExif({ IFD0: { Model: 'Pocket 3' } })
        .jpeg({ quality: 70 })
        .toBuffer()
      const { item } = await site.uploadForm(photo, 'still.jpg')
      const stored = await (await fetch(String(item.source_url))).arrayBuffer()
      expect(await sharp(stored).raw().toBuffer()).to.deep.equal(await sharp(photo).raw().toBuffer())
      expect(Buffer.from(stored).includes('Pocket')).to.equal(false)
    })

    it('keeps an animation moving', async () => {
      const frames = [picture(40, 40), picture(40, 40).negate()]
      const pages = await Promise.all(frames.map((frame) => frame.png().toBuffer()))
      const moving = await sharp(pages, { join: { animated: true } })
        .gif()
        .toBuffer()
      const { item } = await site.uploadForm(moving, 'moving.gif')
      const stored = await (await fetch(String(item.source_url))).arrayBuffer()
      expect((await sharp(Buffer.from(stored), { animated: true }).metadata()).pages).to.equal(2)
    })

    it('gives no still sizes to an animation that a browser could show in its place', async () => {
      const pages = await Promise.all(
        [picture(400, 400), picture(400, 400).negate()].map((page) => page.png().toBuffer()),
      )
      const moving = await sharp(pages, { join: { animated: true } })
        .webp()
        .toBuffer()
      const { item } = await site.uploadForm(moving, 'moving.webp')
      expect(Object.keys(sizesOf(item))).to.deep.equal(['full'])
      expect((await sharp(await (await fetch(String(item.source_url))).arrayBuffer()).metadata()).pages).to.equal(2)
    })

    it('numbers files of the same name, and never takes the name of a size', async () => {
      const names = ['twin.jpg', 'twin.jpg', 'TWIN.jpg', 'twin-150x150.jpg', 'twin-scaled.jpg']
      const urls: string[] = []
      for (const name of names)
        urls.push(
          String((await site.uploadForm(await jpeg(200, 200), name)).item.source_url)
            .split('/')
            .at(-1) ?? '',
        )
      expect(urls).to.deep.equal(['twin.jpg', 'twin-1.jpg', 'TWIN-2.jpg', 'twin-150x150-1.jpg', 'twin-scaled-1.jpg'])
    })

    it('gives ten uploads of one name at the same time ten files', async () => {
      const file = await jpeg(160, 160)
      const answers = await Promise.all(Array.from({ length: 10 }, () => site.uploadForm(file, 'crowd.jpg')))
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(201))
      expect(new Set(answers.map(({ item }) => item.source_url)).size).to.equal(10)
    })

    it('corrects an extension to the content', async () => {
      const { item } = await site.uploadForm(await picture(30, 30).png().toBuffer(), 'photo.jpg')
      expect(item.mime_type).to.equal('image/png')
      expect(item.source_url).to.match(/\/photo\.png$/)
    })

    it('takes documents, sound and text as they are', async () => {
      const pdf = await site.uploadForm(Buffer.from('%PDF-1.7\n%%EOF'), 'report.pdf')
      expect(pdf.item).to.include({ mime_type: 'application/pdf', media_type: 'file' })
      expect(pdf.item.media_details).to.deep.equal({ filesize: 14, sizes: {} })
      const text = await site.uploadForm(Buffer.from('a,b\n1,2\n'), 'table.csv')
      expect(text.item.mime_type).to.equal('text/csv')
      const sound = await site.uploadForm(Buffer.from('ID3\x04\0\0\0\0\0\0'), 'song.mp3')
      expect(sound.item.mime_type).to.equal('audio/mpeg')
    })

    it('puts a file of a post into the month of the post', async () => {
      const post = await site.host.content.posts.insert({
        title: 'Old',
        status: 'publish',
        date: '2020-03-04T10:00:00',
        authorId: 1,
      })
      const { item } = await site.uploadForm(await jpeg(30, 30), 'old.jpg', { post: String(post.id) })
      expect(item.post).to.equal(post.id)
      expect(item.source_url).to.match(/\/uploads\/2020\/03\/old\.jpg$/)
    })

    it('shows the image with srcset in a post', async () => {
      const { item } = await site.uploadForm(await jpeg(1200, 800), 'wide.jpg')
      const content = `<img class="wp-image-${item.id}" src="${item.source_url}" alt="">`
      const post = await site.host.content.posts.insert({
        title: 'With image',
        status: 'publish',
        content,
        authorId: 1,
      })
      const html = await site.host.content.renderContent(post)
      expect(html)
        .to.include('wide-300x200.jpg 300w')
        .and.to.include('wide-1024x683.jpg 1024w')
        .and.to.include('width="1200"')
    })

    describe('refuses as WordPress does', () => {
      const body = { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename=a.jpg' }
      const cases: [
        title: string,
        send: () => Promise<{ status: number; item: Readonly<Record<string, unknown>> }>,
        status: number,
        code: string,
      ][] = [
        ['nothing', () => site.uploadBody(Buffer.alloc(0), body), 400, 'rest_upload_no_data'],
        ['JSON without a file', () => site.send('POST', '/wp/v2/media', { title: 'x' }), 400, 'rest_upload_no_data'],
        [
          'a body without a name',
          async () => site.uploadBody(await jpeg(9, 9), { 'content-type': 'image/jpeg' }),
          400,
          'rest_upload_no_content_disposition',
        ],
        [
          'a broken disposition',
          async () => site.uploadBody(await jpeg(9, 9), { ...body, 'content-disposition': 'filename' }),
          400,
          'rest_upload_invalid_disposition',
        ],
        [
          'a wrong sum',
          async () => site.uploadBody(await jpeg(9, 9), { ...body, 'content-md5': 'abc' }),
          412,
          'rest_upload_hash_mismatch',
        ],
        [
          'a body that is no media',
          () => site.uploadBody(Buffer.from('<?php'), body),
          400,
          'rest_upload_sideload_error',
        ],
        [
          'a form with a file that is no media',
          () => site.uploadForm(Buffer.from('<?php'), 'a.php'),
          400,
          'rest_upload_unknown_error',
        ],
        [
          'a parent that is a file',
          async () =>
            site.uploadForm(await jpeg(9, 9), 'a.jpg', {
              post: String((await site.uploadForm(await jpeg(9, 9), 'p.jpg')).item.id),
            }),
          400,
          'rest_invalid_param',
        ],
        [
          'a wrong date',
          async () => site.uploadForm(await jpeg(9, 9), 'a.jpg', { date: 'soon' }),
          400,
          'rest_invalid_param',
        ],
        [
          'a file that is too large',
          () => site.uploadForm(Buffer.alloc(3_000_001), 'a.jpg'),
          413,
          'rest_request_too_large',
        ],
        [
          'a body that is too large',
          () => site.uploadBody(Buffer.alloc(3_000_001), body),
          413,
          'rest_request_too_large',
        ],
      ]
      for (const [title, send, status, code] of cases) {
        it(title, async () => {
          const answer = await send()
          expect([answer.status, answer.item.code]).to.deep.equal([status, code])
          expect(site.waiting()).to.deep.equal([])
        })
      }

      it('takes a right sum, in base64 and as WordPress wants it', async () => {
        const file = await jpeg(9, 9)
        for (const form of ['hex', 'base64'] as const) {
          const sum = createHash('md5').update(file).digest(form)
          expect((await site.uploadBody(file, { ...body, 'content-md5': sum })).status).to.equal(201)
        }
      })
    })

    it('asks for the right to upload', async () => {
      const contributor = await site.signIn('contributor', 'contributor')
      const file = await jpeg(9, 9)
      const codes = []
      for (const as of ['', contributor]) {
        const { status, item } = await site.uploadForm(file, 'a.jpg', {}, as)
        codes.push([status, item.code])
      }
      expect(codes).to.deep.equal([
        [401, 'rest_cannot_create'],
        [403, 'rest_cannot_create'],
      ])
      const author = await site.signIn('author', 'author')
      expect((await site.uploadForm(file, 'a.jpg', {}, author)).status).to.equal(201)
    })

    it("lets nobody hang a file on a post that is not theirs, nor upload in another's name", async () => {
      const author = await site.signIn('author', 'author')
      const post = await site.host.content.posts.insert({ title: 'Theirs', status: 'publish', authorId: 1 })
      const parent = await site.uploadForm(await jpeg(9, 9), 'a.jpg', { post: String(post.id) }, author)
      expect([parent.status, parent.item.code]).to.deep.equal([403, 'rest_cannot_edit'])
      const name = await site.uploadForm(await jpeg(9, 9), 'a.jpg', { author: '1' }, author)
      expect([name.status, name.item.code]).to.deep.equal([403, 'rest_cannot_edit_others'])
    })

    it('cleans texts of somebody without unfiltered_html', async () => {
      const author = await site.signIn('author', 'author')
      const fields = {
        title: 'T<script>1</script>',
        caption: '<em onclick="x">C</em>',
        description: '<script>x</script>D',
      }
      const { item } = await site.uploadForm(await jpeg(9, 9), '<img src=x onerror=alert(1)>.jpg', fields, author)
      expect(JSON.stringify(item)).to.not.match(/<script|onclick|onerror=/)
      expect(toObject(item.caption).raw).to.equal('<em>C</em>')
    })
  })

  describe('GET /wp/v2/media', () => {
    it('neither shows nor counts the files of a post that the caller may not read', async () => {
      const author = await site.signIn('draws', 'author')
      const authorId = (await site.host.auth.users.getByLogin('draws'))?.id ?? 0
      const draft = await site.host.content.posts.insert({ status: 'draft', title: 'Plans', authorId })
      const open = await site.host.content.posts.insert({ status: 'publish', title: 'News' })
      for (const { id } of [draft, open]) {
        await site.uploadForm(await jpeg(40, 20), 'map.jpg', { title: 'Zanzibar', post: String(id) })
      }
      const total = async (as?: string) =>
        (await site.send('GET', '/wp/v2/media?search=zanzibar', undefined, as)).headers.get('x-wp-total')
      expect(await total('')).to.equal('1')
      expect(await total(await site.signIn('reads', 'subscriber'))).to.equal('1')
      expect(await total(await site.signIn('draws-too', 'author'))).to.equal('1')
      expect(await total(author)).to.equal('2')
      expect(await total(await site.signIn('edits', 'editor'))).to.equal('2')
    })
  })

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

    it('takes a whole record back as it was read, of who may not edit what it belongs to either', async () => {
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
      expect([answer.status, answer.item.code]).to.deep.equal([404, 'rest_unknown_attachment'])
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

  describe('leaves neither file nor record where somebody refuses', () => {
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

  describe('what each role may do with files', () => {
    const may = ['201', '200', '200']
    const roles: Record<string, readonly string[]> = {
      administrator: [...may, '200', '200'],
      editor: [...may, '200', '200'],
      author: [...may, '403 rest_cannot_edit', '403 rest_cannot_delete'],
      contributor: ['403 rest_cannot_create', '', '', '403 rest_cannot_edit', '403 rest_cannot_delete'],
      subscriber: ['403 rest_cannot_create', '', '', '403 rest_cannot_edit', '403 rest_cannot_delete'],
    }
    for (const [role, expected] of Object.entries(roles)) {
      it(`as ${role}: upload, edit and delete own, edit and delete another's`, async () => {
        const as = await site.signIn(`the-${role}`, role)
        const said = ({ status, item }: { status: number; item: Readonly<Record<string, unknown>> }) =>
          status < 400 ? String(status) : `${status} ${item.code}`
        const other = (await site.uploadForm(await jpeg(9, 9), 'other.jpg')).item.id
        const own = await site.uploadForm(await jpeg(9, 9), 'own.jpg', {}, as)
        const answers = [said(own)]
        for (const id of [own.item.id, other]) {
          const isThere = id !== undefined
          answers.push(isThere ? said(await site.send('POST', `/wp/v2/media/${id}`, { title: 'x' }, as)) : '')
          answers.push(isThere ? said(await site.send('DELETE', `/wp/v2/media/${id}?force=true`, undefined, as)) : '')
        }
        expect(answers).to.deep.equal(expected)
      })
    }
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
