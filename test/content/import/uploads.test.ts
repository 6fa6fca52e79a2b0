import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import sharp from 'sharp'
import { temporaryFolder } from '../../support/site-folder.ts'
import { type OpenSite, openSite } from './open-site.ts'
import { wxrFile, wxrItem } from './wxr-file.ts'

const attachment = (id: number, file: string, metadata?: string) =>
  wxrItem({
    ...{ id, type: 'attachment', status: 'inherit' },
    meta: { _wp_attached_file: file, ...(metadata === undefined ? {} : { _wp_attachment_metadata: metadata }) },
  })

describe('pentad import --uploads', () => {
  let site: OpenSite
  let uploads: string
  beforeEach(async () => {
    site = await openSite(undefined)
    uploads = join(temporaryFolder(), 'uploads')
  })
  afterEach(() => site.close())

  const write = (path: string, content: string | Buffer = path) => {
    mkdirSync(dirname(join(uploads, path)), { recursive: true })
    writeFileSync(join(uploads, path), content)
  }
  const has = (path: string) => existsSync(join(site.siteDir, 'uploads', path))

  it('copies the whole tree of a folder with years, media only', async () => {
    for (const path of [
      '2026/01/a.jpg',
      '2026/01/a-150x150.jpg',
      'forms/b.pdf',
      '2026/01/shell.php',
      'x.HTML',
      'y.js',
      '.htaccess',
      'pwa/scripts/worker.js',
      'speed/assets/a.css',
    ])
      write(path)
    writeFileSync(join(uploads, '../secret.jpg'), 'secret')
    symlinkSync('../../../secret.jpg', join(uploads, '2026/01/link.jpg'))
    symlinkSync('..', join(uploads, '2026/up'))
    const report = await site.import(wxrFile([attachment(50, '2026/01/a.jpg')]), dirname(uploads))
    expect(['2026/01/a.jpg', '2026/01/a-150x150.jpg', 'forms/b.pdf'].map(has)).to.deep.equal([true, true, true])
    expect(report.files).to.deep.equal({
      copied: 3,
      kept: 0,
      downloaded: 0,
      resized: 0,
      refused: [
        { file: '.htaccess', reason: 'not a media file' },
        { file: '2026/01/link.jpg', reason: 'a symbolic link' },
        { file: '2026/01/shell.php', reason: 'not a media file' },
        { file: '2026/up', reason: 'a symbolic link' },
        { file: 'x.HTML', reason: 'not a media file' },
        { file: 'y.js', reason: 'not a media file' },
      ],
    })
    expect(['2026/01/shell.php', 'x.HTML', 'y.js', '.htaccess', '2026/01/link.jpg', '2026/up'].some(has)).to.equal(
      false,
    )
  })

  it('copies an attachment with its sizes from a folder without years', async () => {
    for (const path of ['a.jpg', 'a-1.jpg', 'a-original.jpg', 'b.jpg']) write(path)
    const sizes =
      'a:2:{s:5:"sizes";a:1:{s:6:"medium";a:1:{s:4:"file";s:7:"a-1.jpg";}}s:14:"original_image";s:14:"a-original.jpg";}'
    const report = await site.import(wxrFile([attachment(50, 'a.jpg', sizes)]), uploads)
    expect(['a.jpg', 'a-1.jpg', 'a-original.jpg', 'b.jpg'].map(has)).to.deep.equal([true, true, true, false])
    expect(report.files.copied).to.equal(3)
  })

  it('never leaves the uploads folder, whatever an export says', async () => {
    write('a.jpg')
    writeFileSync(join(uploads, '../secret.jpg'), 'secret')
    mkdirSync(join(uploads, 'real'))
    symlinkSync('..', join(uploads, 'around'))
    const paths = [
      '../secret.jpg',
      '/etc/passwd',
      'around/secret.jpg',
      '..\\secret.jpg',
      'a/../../secret.jpg',
      'C:/x.jpg',
    ]
    const sizes = 'a:1:{s:5:"sizes";a:1:{s:1:"x";a:1:{s:4:"file";s:13:"../secret.jpg";}}}'
    const report = await site.import(
      wxrFile([...paths.map((path, at) => attachment(50 + at, path)), attachment(90, 'a.jpg', sizes)]),
      uploads,
    )
    expect(report.files).to.deep.equal({ copied: 1, kept: 0, downloaded: 0, resized: 0, refused: [] })
    expect(report.missingFiles).to.deep.equal(['around/secret.jpg'])
    expect(existsSync(join(site.siteDir, 'secret.jpg'))).to.equal(false)
    expect(await site.content.meta.get('post', 50, '_wp_attached_file')).to.equal(undefined)
    expect(report.warnings.join()).to.match(/Line \d+: the attachment “Item 50” has no file in the uploads folder/)
  })

  it('takes the files of one site out of the uploads of a network', async () => {
    for (const path of ['2020/01/a.jpg', 'sites/3/2020/01/a.jpg', 'sites/4/2020/01/a.jpg']) write(path)
    const url = '<wp:attachment_url>http://old.example/wp-content/uploads/sites/3/2020/01/a.jpg</wp:attachment_url>'
    const item = { id: 50, type: 'attachment', status: 'inherit', meta: { _wp_attached_file: '2020/01/a.jpg' } }
    await site.import(wxrFile([wxrItem({ ...item, more: url })]), dirname(uploads))
    expect(readFileSync(join(site.siteDir, 'uploads/2020/01/a.jpg'), 'utf8')).to.equal('sites/3/2020/01/a.jpg')
    expect(has('sites/3/2020/01/a.jpg')).to.equal(false)
  })

  const layouts = {
    'an uploads folder beside folders of years': ['uploads/2019/05/a.jpg', '2020/01/b.jpg', '2020/02/c.jpg'],
    'wp-content/uploads beside folders of years': [
      'wp-content/uploads/2019/05/a.jpg',
      '2020/01/b.jpg',
      '2020/02/c.jpg',
    ],
    'a whole site': ['wp-content/uploads/2019/05/a.jpg', 'wp-content/uploads/2020/01/b.jpg', 'uploads/2020/02/c.jpg'],
    'a single folder': ['media/2019/05/a.jpg', 'media/2020/01/b.jpg', 'media/2020/02/c.jpg'],
    'folders around a site': [
      ...['backup/html/wp-content/uploads/2019/05/a.jpg', 'backup/html/wp-content/uploads/2020/01/b.jpg'],
      'backup/html/uploads/2020/02/c.jpg',
    ],
    'a single folder as macOS archives it': [
      ...['media/2019/05/a.jpg', 'media/2020/01/b.jpg', 'media/2020/02/c.jpg', '__MACOSX/media/2019/05/d.jpg'],
      'media/2019/05/._a.jpg',
    ],
  }
  for (const [layout, paths] of Object.entries(layouts)) {
    it(`finds all files of ${layout}`, async () => {
      for (const path of [...paths, 'readme.txt']) write(path)
      const wanted = ['2019/05/a.jpg', '2020/01/b.jpg', '2020/02/c.jpg']
      const elements = wanted.map((file, at) => attachment(50 + at, file))
      const dry = await site.import(wxrFile(elements), uploads, undefined, undefined, true)
      expect(dry).to.deep.include({ missingFiles: [] })
      expect(dry.files.copied).to.equal(3)
      const report = await site.import(wxrFile(elements), uploads)
      expect(wanted.map(has)).to.deep.equal([true, true, true])
      expect(report.missingFiles).to.deep.equal([])
      expect(readdirSync(join(site.siteDir, 'uploads')).filter((name) => name !== 'readme.txt')).to.deep.equal([
        '2019',
        '2020',
      ])
      expect(report.files.refused).to.deep.equal([])
    })
  }

  it('finds files without folders of years in a single folder', async () => {
    for (const path of ['media/a.jpg', 'media/logos/b.png']) write(path)
    const report = await site.import(wxrFile([attachment(50, 'a.jpg'), attachment(51, 'logos/b.png')]), uploads)
    expect(report).to.deep.include({ missingFiles: [] })
    expect(report.files.copied).to.equal(2)
  })

  it('leaves another file of the same name as it is, and says so', async () => {
    write('2026/a.jpg', 'theirs')
    mkdirSync(join(site.siteDir, 'uploads/2026'), { recursive: true })
    writeFileSync(join(site.siteDir, 'uploads/2026/a.jpg'), 'mine!!')
    const report = await site.import(wxrFile([attachment(50, '2026/a.jpg')]), uploads)
    expect(report.files.refused).to.deep.equal([{ file: '2026/a.jpg', reason: 'another file has the same name' }])
    expect(readFileSync(join(site.siteDir, 'uploads/2026/a.jpg'), 'utf8')).to.equal('mine!!')
  })

  it('measures an image that WordPress had not, turned as its camera was', async () => {
    const image = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer()
    write('2026/a.jpg', image)
    write('2026/b.jpg', 'no image')
    await site.import(wxrFile([attachment(50, '2026/a.jpg'), attachment(51, '2026/b.jpg')]), uploads)
    expect(await site.content.meta.get('post', 50, '_wp_attachment_metadata')).to.deep.equal({
      ...{ width: 20, height: 30, file: '2026/a.jpg', filesize: image.length, sizes: {} },
    })
    expect(await site.content.meta.get('post', 51, '_wp_attachment_metadata')).to.equal(undefined)
  })

  it('maps what texts name to the files here: other hosts, folders, sizes; makes sizes that are missing', async () => {
    const photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    for (const path of ['2020/01/photo.jpg', '2020/01/cover-scaled.jpg', 'logo.jpg']) write(path, photo)
    const [blog, moved] = ['https://blog.files.wordpress.com', 'https://before.example/wp-content/uploads']
    const named = (url: string, id: number, file: string) =>
      attachment(id, file).replace('<wp:post_id>', `<wp:attachment_url>${url}</wp:attachment_url><wp:post_id>`)
    const content = `<!-- wp:image {"id":50} --><figure><a href="${blog}/2020/01/photo.jpg"><img src="${blog}/2020/01/photo-300x200.jpg?w=300"
      srcset="//blog.files.wordpress.com/2020/01/photo-150x150.jpg 150w, ${blog}/2020/01/photo-9000x9000.jpg 9000w"></a></figure><!-- /wp:image -->
      <img src="${moved}/2020/01/cover.jpg"><img src="https://stranger.example/wp-content/uploads/2020/01/cover2.jpg">
      <img src="http://www.old.example/wp-content/uploads/logo.jpg"><img src="${blog}/2020/01/lost.png">`
    const elements = [
      wxrItem({ id: 40, content, meta: { layout: JSON.stringify({ image: `${moved}/2020/01/cover.jpg` }) } }),
      named(`${blog}/2020/01/photo.jpg`, 50, `${blog}/2020/01/photo.jpg`),
      named('http://old.example/files/2020/01/cover.jpg', 51, '2020/01/cover-scaled.jpg'),
    ]
    const report = await site.import(wxrFile(elements), uploads)
    const post = await site.content.posts.get(40)
    const hosts = (text = '') => [...new Set([...text.matchAll(/\/\/([\w.]+)/g)].map(([, host]) => host))].sort()
    const { host } = new URL(site.config.url)
    expect(hosts(post?.content)).to.deep.equal([host.replace(/:.*/, ''), 'stranger.example'].sort())
    expect(await site.content.meta.get('post', 40, 'layout')).to.contain('/wp-content/uploads/2020/01/cover.jpg')
    expect(await site.content.meta.get('post', 50, '_wp_attached_file')).to.equal('2020/01/photo.jpg')
    expect(post?.content).to.contain('/wp-content/uploads/2020/01/photo-300x200.jpg"')
    expect(report.missingFiles).to.deep.equal(['2020/01/photo-9000x9000.jpg', '2020/01/lost.png'])
    expect(report.files).to.deep.include({ copied: 3, resized: 3 })
    const small = await sharp(join(site.siteDir, 'uploads/2020/01/photo-150x150.jpg')).metadata()
    expect([small.width, small.height]).to.deep.equal([150, 150])

    const before = await site.dump()
    const again = await site.import(wxrFile(elements), uploads)
    expect(again.files).to.deep.include({ copied: 0, resized: 0 })
    expect(again.missingFiles).to.deep.equal(report.missingFiles)
    expect(await site.dump()).to.deep.equal(before)
  })

  it('says which folder is not there', async () => {
    let message = ''
    await site.import(wxrFile([]), join(uploads, 'nowhere')).catch((error: Error) => {
      message = error.message
    })
    expect(message).to.match(/^There is no folder .*nowhere\.$/)
  })
})
