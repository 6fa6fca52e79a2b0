import { expect } from 'chai'
import type { NewPost, Post } from '../../cms/content/types.ts'
import { type OpenContent, openContent } from './open-content.ts'

const UPLOADS = 'http://127.0.0.1:8080/wp-content/uploads/2026/01'

/** Expectations are what a WordPress 6.1 made of the same shortcodes; its `?_=1` behind each address is left out. */
describe('players in a content', () => {
  let site: OpenContent
  let post: Post
  let empty: Post
  let song: Post
  let second: Post
  let film: Post
  before(async () => {
    site = await openContent(undefined)
    post = await site.content.posts.insert({ type: 'post', status: 'publish', title: 'With sounds' })
    empty = await site.content.posts.insert({ type: 'post', status: 'publish', title: 'Without sounds' })
    song = await upload('one.mp3', 'audio/mpeg', 1, { artist: 'The <b>Band</b>', length_formatted: '2:05' })
    second = await upload('two.ogg', 'audio/ogg', 2)
    film = await upload('film.mp4', 'video/mp4', 3, { width: 1920, height: 1080 })
  })
  after(() => site.close())

  function upload(name: string, mimeType: string, menuOrder: number, record = {}): Promise<Post> {
    const meta: NewPost['meta'] = { _wp_attached_file: [`2026/01/${name}`], _wp_attachment_metadata: [record] }
    const title = name === 'one.mp3' ? 'One &amp; "only"' : name
    return site.content.posts.insert({
      ...{ type: 'attachment', status: 'inherit', title, parentId: post.id, mimeType, menuOrder, meta },
    })
  }

  async function render(content: string, of = post): Promise<string> {
    return (await site.content.renderContent(await site.content.posts.update(of.id, { content }))).trim()
  }

  const audio = (url: string, type = 'audio/mpeg', attributes = 'preload="none" ') =>
    `<audio class="wp-audio-shortcode" id="audio-${post.id}-1" ${attributes}style="width: 100%;" controls="controls">` +
    `<source type="${type}" src="${url}" /><a href="${url}">${url}</a></audio>`

  describe('[audio]', () => {
    it('plays src', async () => {
      expect(await render('[audio src="https://old.test/a.mp3"]')).to.equal(audio('https://old.test/a.mp3'))
    })

    it('offers each file, and numbers the players of a content', async () => {
      expect(
        await render('[audio mp3="/a.mp3"][/audio]\n\nText\n\n[audio ogg="/a.ogg" m4a="/a.m4a" flac="/a.flac"]'),
      ).to.equal(
        `${audio('/a.mp3')}\n<p>Text</p>\n` +
          `<audio class="wp-audio-shortcode" id="audio-${post.id}-2" preload="none" style="width: 100%;" controls="controls">` +
          '<source type="audio/ogg" src="/a.ogg" /><source type="audio/flac" src="/a.flac" />' +
          '<source type="audio/mpeg" src="/a.m4a" /><a href="/a.ogg">/a.ogg</a></audio>',
      )
    })

    it('takes loop, autoplay and preload', async () => {
      expect(await render('[audio wav="/a.wav" loop="on" autoplay="1" preload="metadata"]')).to.equal(
        audio('/a.wav', 'audio/wav', 'loop="1" autoplay="1" preload="metadata" '),
      )
      expect(await render('[audio mp3="/a.mp3" loop="false" autoplay="0"]')).to.equal(audio('/a.mp3'))
    })

    it('links to files of unsupported types', async () => {
      expect(await render('[audio src="https://old.test/a.txt?x=1&amp;y=2"]')).to.contain(
        '<a class="wp-embedded-audio" href="https://old.test/a.txt?x=1&amp;y=2">https://old.test/a.txt?x=1&amp;y=2</a>',
      )
    })

    it('without a file plays the first one uploaded to the post, nothing without one', async () => {
      expect(await render('[audio]')).to.equal(audio(`${UPLOADS}/one.mp3`))
      expect(await render('[audio]', empty)).to.equal('')
    })

    it('lets no attribute out of its place and plays no script', async () => {
      const html = await render(
        `[audio src="javascript:alert(1).mp3"][audio mp3='/a.mp3?"><script>.mp3' preload='"x' class='"><b>']`,
      )
      expect(html).to.contain('src="/a.mp3?&quot;').and.to.contain('preload="&quot;x"')
      expect(html).not.to.contain('<script').and.not.to.contain('javascript').and.not.to.contain('<b>')
    })
  })

  describe('[video]', () => {
    const video = (attributes: string, sources: string, width = 640) =>
      `<div style="width: ${width}px;" class="wp-video"><video class="wp-video-shortcode" id="video-${post.id}-1" ` +
      `${attributes} controls="controls">${sources}</video></div>`

    it('has its size, poster and files', async () => {
      expect(
        await render('[video width="1280" height="720" mp4="/a.mp4" webm="/a.webm" poster="/p.jpg"][/video]'),
      ).to.equal(
        video(
          'width="1280" height="720" poster="/p.jpg" preload="metadata"',
          '<source type="video/mp4" src="/a.mp4" /><source type="video/webm" src="/a.webm" /><a href="/a.mp4">/a.mp4</a>',
          1280,
        ),
      )
    })

    it('takes loop, autoplay, muted and preload', async () => {
      expect(await render('[video src="/a.m4v" loop="on" autoplay="on" muted="true" preload="auto"]')).to.equal(
        video(
          'width="640" height="360" loop="1" autoplay="1" muted="1" preload="auto"',
          '<source type="video/mp4" src="/a.m4v" /><a href="/a.m4v">/a.m4v</a>',
        ),
      )
    })

    it('shows the subtitles that it encloses', async () => {
      expect(await render('[video ogv="/a.ogv"]<track src="/x.vtt" kind="subtitles">\n[/video]')).to.equal(
        video(
          'width="640" height="360" preload="metadata"',
          '<source type="video/ogg" src="/a.ogv" /><track src="/x.vtt" kind="subtitles"><a href="/a.ogv">/a.ogv</a>',
        ),
      )
    })

    it('links to what it does not play, and without a file plays the first one uploaded to the post', async () => {
      expect(await render('[video src="https://vimeo.com/123"]')).to.contain(
        '<a class="wp-embedded-video" href="https://vimeo.com/123">',
      )
      expect(await render('[video]')).to.contain(`<source type="video/mp4" src="${UPLOADS}/film.mp4" />`)
      expect(await render('[video]', empty)).to.equal('')
    })
  })

  describe('[playlist]', () => {
    const titles = (html: string) =>
      [...html.matchAll(/<span class="wp-playlist-item-title">([^<]*)</g)].map(([, title]) => title)

    it('has a player for each sound uploaded to the post', async () => {
      const title = 'One &amp; &quot;only&quot;'
      const html = await render('[playlist]')
      expect(html).to.contain(
        '<div class="wp-playlist wp-audio-playlist wp-playlist-light"><ol class="wp-playlist-tracks"><li class="wp-playlist-item">' +
          `<div class="wp-playlist-caption"><span class="wp-playlist-item-title">${title}</span> ` +
          '<span class="wp-playlist-item-artist">&mdash; The &lt;b&gt;Band&lt;/b&gt;</span> ' +
          '<span class="wp-playlist-item-length">2:05</span></div>' +
          `<audio controls="controls" preload="none" aria-label="${title}" src="${UPLOADS}/one.mp3"><a href="${UPLOADS}/one.mp3">${title}</a></audio></li>`,
      )
      expect(titles(html)).to.deep.equal([title, 'two.ogg'])
    })

    it('has the files named in ids, in that order, of its type', async () => {
      const ids = `${second.id},${film.id},${song.id}`
      const html = await render(`[playlist ids="${ids}" style="dark" artists="false" tracknumbers="false"]`)
      expect(titles(html)).to.deep.equal(['two.ogg', 'One &amp; &quot;only&quot;'])
      expect(html).to.contain('wp-playlist-dark"><ul class').and.not.to.contain('Band')
      expect(await render(`[playlist ids="${ids}" type="video" tracklist="false"]`))
        .to.contain(`<video controls="controls" preload="none" width="1920" height="1080" aria-label="film.mp4"`)
        .and.not.to.contain('caption')
    })

    it('shows nothing where there is nothing to play', async () => {
      expect(await render('[playlist]', empty)).to.equal('')
      expect(await render('[playlist ids="999999"]')).to.equal('')
    })
  })

  it('shows 1,000 attachments of one content, no more', async () => {
    const html = await render(`[audio mp3="/a.mp3"]${`[playlist ids="${song.id},${second.id}"]`.repeat(510)}`)
    expect(html.match(/<audio /g)).to.have.length(1000)
  })

  it('are no text of an excerpt', async () => {
    const content = 'Listen: [audio mp3="/a.mp3"][/audio] [video src="/a.mp4"] [playlist]'
    const { id } = await site.content.posts.update(post.id, { content, excerpt: '' })
    const saved = await site.content.posts.get(id)
    expect(saved && (await site.content.getExcerpt(saved))).to.equal('Listen:')
  })
})
