import { expect } from 'chai'
import sharp from 'sharp'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { jpeg, type MediaSite, openMediaSite, picture } from './media-site.ts'

const month = new Date().toISOString().slice(0, 7).replace('-', '/')

onEachDatabase('wp/v2/media, uploading', (databaseUrl) => {
  let site: MediaSite
  before(async () => {
    site = await openMediaSite(await databaseUrl(), { maxUpload: 3_000_000 })
  })
  after(() => site?.close())

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
        'content-disposition': 'attachment; filename="harbor at night.jpeg"',
      })
      expect(status).to.equal(201)
      expect(item.source_url).to.match(/\/harbor-at-night\.jpeg$/)
      expect(item.title).to.include({ raw: 'harbor at night' })
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

    it('rotates images upright and returns camera data, but no location', async () => {
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

    it('preserves the pixels of an upright photograph, without its location', async () => {
      const photo = await picture(200, 100)
        .withExif({ IFD0: { Model: 'Pocket 3' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
        .jpeg({ quality: 70 })
        .toBuffer()
      const { item } = await site.uploadForm(photo, 'still.jpg')
      const stored = await (await fetch(String(item.source_url))).arrayBuffer()
      expect(await sharp(stored).raw().toBuffer()).to.deep.equal(await sharp(photo).raw().toBuffer())
      expect(Buffer.from(stored).includes('Pocket')).to.equal(false)
    })

    it('preserves an upright photograph without a location byte for byte, with its copyright notice', async () => {
      const photo = await picture(200, 100)
        .withExif({ IFD0: { Model: 'Pocket 3', Copyright: 'Ann Author' } })
        .jpeg()
        .toBuffer()
      const { item } = await site.uploadForm(photo, 'signed-still.jpg')
      const stored = Buffer.from(await (await fetch(String(item.source_url))).arrayBuffer())
      expect(stored.includes('Ann Author')).to.equal(true)
      expect(stored.equals(photo)).to.equal(true)
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

    it('lets users neither attach a file to a post of others nor upload as another user', async () => {
      const author = await site.signIn('author', 'author')
      const post = await site.host.content.posts.insert({ title: 'Theirs', status: 'publish', authorId: 1 })
      const parent = await site.uploadForm(await jpeg(9, 9), 'a.jpg', { post: String(post.id) }, author)
      expect([parent.status, parent.item.code]).to.deep.equal([403, 'rest_cannot_edit'])
      const name = await site.uploadForm(await jpeg(9, 9), 'a.jpg', { author: '1' }, author)
      expect([name.status, name.item.code]).to.deep.equal([403, 'rest_cannot_edit_others'])
    })

    it('sanitizes texts of users without unfiltered_html', async () => {
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
})
