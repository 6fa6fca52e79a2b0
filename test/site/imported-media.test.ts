import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import sharp from 'sharp'
import request from 'supertest'
import { importWxr } from '../../cms/content/import/index.ts'
import { createLog } from '../../core/log.ts'
import { wxrFile, wxrItem } from '../content/import/wxr-file.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { type SiteUnderTest, startSite } from './site-under-test.ts'

/** The upload folder of the old site had a host and a path of its own. */
const CDN = 'https://media.old-cdn.example/files'
const image = (name: string) => `${CDN}/2020/01/${name}`

/** As the editor of WordPress 6.1 saves them, and the shortcodes of before. */
const BLOCKS = `
<!-- wp:image {"id":50,"sizeSlug":"large","linkDestination":"media"} -->
<figure class="wp-block-image size-large"><a href="${image('big.jpg')}"><img src="${image('big-scaled.jpg')}" alt="" class="wp-image-50"/></a></figure>
<!-- /wp:image -->
<!-- wp:gallery {"linkTo":"none"} --><figure class="wp-block-gallery has-nested-images columns-default is-cropped"><!-- wp:image {"id":51} -->
<figure class="wp-block-image"><img src="${image('%D0%A4%D0%BE%D1%82%D0%BE-30x20.jpg')}" class="wp-image-51"/></figure><!-- /wp:image --></figure><!-- /wp:gallery -->
<!-- wp:cover {"url":"${image('edited-e1614000000000.jpg')}","id":52} --><div class="wp-block-cover"><img class="wp-block-cover__image-background wp-image-52" src="${image('edited-e1614000000000.jpg')}"/><div class="wp-block-cover__inner-container"></div></div><!-- /wp:cover -->
<!-- wp:media-text {"mediaId":52,"mediaType":"image"} --><div class="wp-block-media-text"><figure class="wp-block-media-text__media"><img src="${image('edited-30x20.jpg')}"/></figure><div class="wp-block-media-text__content"></div></div><!-- /wp:media-text -->
<!-- wp:video {"id":53} --><figure class="wp-block-video"><video controls poster="${image('big-30x20.jpg')}" src="${image('film.mp4')}"></video></figure><!-- /wp:video -->
<!-- wp:audio {"id":54} --><figure class="wp-block-audio"><audio controls src="${image('song.mp3')}"></audio></figure><!-- /wp:audio -->
<!-- wp:file {"id":55,"href":"${image('doc.pdf')}"} --><div class="wp-block-file"><a href="${image('doc.pdf')}">doc</a></div><!-- /wp:file -->
<!-- wp:html --><div style="background-image:url('${image('big.jpg')}')"></div><img src="https://i0.wp.com/media.old-cdn.example/files/2020/01/big.jpg?resize=30%2C20&#038;ssl=1"
srcset="//media.old-cdn.example/files/2020/01/big-30x20.jpg 30w, ${image('big.jpg')} 90w"><!-- /wp:html -->
[gallery ids="50,51,52"] [audio mp3="${image('song.mp3')}"] [video mp4="${image('film.mp4')}"]
[caption id="attachment_50" width="30"]<img src="${image('big-30x20.jpg')}" width="30" height="20"/> Words[/caption]`

describe('The media of an imported site', () => {
  let site: SiteUnderTest
  before(async () => {
    const uploads = temporaryFolder()
    mkdirSync(join(uploads, '2020/01'), { recursive: true })
    const photo = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    const files = ['big-scaled.jpg', 'Фото.jpg', 'edited-e1614000000000.jpg', 'film.mp4', 'song.mp3', 'doc.pdf']
    for (const name of files) writeFileSync(join(uploads, '2020/01', name), photo)
    const attachments = files.map((name, at) =>
      wxrItem({
        ...{ id: 50 + at, type: 'attachment', status: 'inherit', guid: image(name) },
        meta: { _wp_attached_file: `2020/01/${name}` },
        more: `<wp:attachment_url>${encodeURI(image(name))}</wp:attachment_url>`,
      }),
    )
    const post = wxrItem({
      id: 40,
      title: 'Media',
      slug: 'media-of-all-kinds',
      content: BLOCKS,
      meta: { _thumbnail_id: '50' },
    })
    site = await startSite({ environment: 'production' })
    const { content, auth, options, database, hooks, config } = site
    await importWxr({
      files: [wxrFile([post, ...attachments])],
      uploadsDir: uploads,
      ...{ content, users: auth.users, options, database, hooks, config, log: createLog('silent') },
    })
  })
  after(() => site.close())

  it('is asked for here alone, on pages and in feeds, and is there', async () => {
    const media = new Set<string>()
    const paths = ['/media-of-all-kinds/', '/', '/feed/', '/item-50/']
    for (const path of paths) {
      const { status, text } = await request(site.http).get(path)
      expect(status, path).to.equal(200)
      expect(text, path).to.not.match(/old-cdn|wp\.com/)
      for (const [url] of text.matchAll(/\/wp-content\/uploads\/20[^\s"'<>)&\\]+/g)) media.add(url)
    }
    expect(media.size).to.be.greaterThan(8)
    for (const url of media) {
      const { status } = await request(site.http).get(url)
      expect(status, url).to.equal(200)
    }
  })
})
