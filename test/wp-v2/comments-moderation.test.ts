import { expect } from 'chai'
import { sql } from 'kysely'
import { createModerationLinks } from '../../cms/content/discussion/index.ts'
import type { Post } from '../../cms/content/types.ts'
import type { MailMessage } from '../../cms/mail/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { useOwnSite } from './own-site.ts'

onEachDatabase('moderating comments', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  let reader: string
  let post: Post
  before(async () => {
    site.host.hooks.addFilter('comment_flood_filter', () => false)
    admin = await site.signIn('admin', 'administrator')
    reader = await site.signIn('reader', 'subscriber')
  })

  beforeEach(async () => {
    const authorId = await site.idOf('admin')
    post = await site.host.content.posts.insert({ status: 'publish', title: 'About trains', authorId })
  })

  const setting = (changes: object) => site.ask('PUT /host/v1/settings/discussion', { settings: changes }, admin)
  const say = (comment: object, as?: string) => site.ask('POST /wp/v2/comments', { post: post.id, ...comment }, as)

  describe('what waits', () => {
    const statusOf = async (content: string) => (await say({ content }, reader)).item.status
    before(async () => {
      const authorId = await site.idOf('admin')
      post = await site.host.content.posts.insert({ status: 'publish', title: 'Other', authorId })
      const { item } = await say({ content: 'The first one' }, reader)
      await site.ask(`POST /wp/v2/comments/${item.id}`, { status: 'approve' }, admin)
    })

    it('is decided by links, words and the setting', async () => {
      expect(await statusOf('fine')).to.equal('approved')
      expect(await statusOf('<a href="https://a.example">a</a> <a href="https://b.example">b</a>')).to.equal('hold')
      await setting({ moderationKeys: 'casino\nviagra', disallowedKeys: 'lottery' })
      expect(await statusOf('My CASINO is open')).to.equal('hold')
      expect(await statusOf('A lottery for you')).to.equal('trash')
      await setting({ moderationKeys: '', disallowedKeys: '', commentModeration: 'on' })
      expect(await statusOf('still waiting')).to.equal('hold')
      await setting({ commentModeration: 'off' })
      const undo = site.host.hooks.addFilter('pre_comment_approved', () => 'spam')
      expect(await statusOf('an extension says spam')).to.equal('spam')
      undo()
    })
  })

  it('emails the administrator about pending comments, and the author of the post about approved ones', async () => {
    const stranger = await site.signIn('stranger', 'subscriber')
    const asked = mailThatSays('Unknown words')
    await say({ content: 'Unknown words' }, stranger)
    const moderation = await asked
    expect(moderation.subject).to.equal('[My Pentad site] Please moderate: "About trains"')
    expect(moderation.to).to.deep.equal(['admin@example.org'])
    expect(moderation.text).to.contain('Author: stranger (IP address: 127.0.0.1)')
    const { id } = (await site.host.content.comments.query({ statuses: ['hold'], limit: 1 })).items[0] ?? {}
    const LINKS = /Approve it: (\S+do=approve\S+)\nTrash it: \S+do=trash\S+\nSpam it: \S+do=spam\S+/
    const link = (LINKS.exec(moderation.text ?? '')?.[1] ?? '').replace(site.host.config.url, site.url)
    const { rows } = await sql<{ message: string }>`select message from mail_log`.execute(site.host.database.db)
    expect(
      rows.every(({ message }) => message === ''),
      'the email log has no links',
    ).to.equal(true)
    const statusOf = async () => (await site.host.content.comments.get(id ?? 0))?.status

    const page = await (await fetch(link)).text()
    expect(page)
      .to.contain('Unknown words')
      .and.match(/Approve.*Mark as spam.*Move to trash/s)
    expect(await statusOf(), 'opening the link changes nothing').to.equal('hold')
    const key = new URL(link).searchParams.get('key') ?? ''
    const press = (fields: Record<string, string>, headers = {}) =>
      fetch(`${site.url}/wp-login.php?action=moderate-comment`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(fields),
      })
    expect((await press({ key, do: 'approve' }, { Origin: 'https://evil.example' })).status).to.equal(403)
    expect((await press({ key, do: 'delete' })).status).to.equal(400)
    // The signature covers the comment and the time.
    for (const forged of [key.replace(/^\d+/, String(Number(id) + 1)), key.replace('-', '-9'), `${key}A`, '']) {
      expect((await press({ key: forged, do: 'approve' })).status, forged).to.equal(400)
    }
    expect(await statusOf()).to.equal('hold')
    expect(await (await press({ key, do: 'approve' })).text()).to.contain('The comment was approved.')
    expect(await statusOf()).to.equal('approved')
    expect(await (await fetch(link)).text(), 'opened again')
      .to.contain('This comment is currently approved.')
      .and.match(/Mark as spam.*Move to trash/s)
      .and.not.contain('value="approve"')
    await press({ key, do: 'spam' })
    expect(await statusOf()).to.equal('spam')
    await site.host.content.comments.setStatus(id ?? 0, 'hold')
    const later = createModerationLinks({
      ...{ comments: site.host.content.comments, key: Buffer.alloc(32) },
      now: () => Date.now() + time,
    })
    let time = 0
    const own = new URL(later.urlOf({ id: id ?? 0 }, 'approve', site.url)).searchParams.get('key') ?? ''
    expect((await later.check(own)).id).to.equal(id)
    time = 7 * 24 * 60 * 60 * 1000 + 1
    expect(await later.check(own).catch((error) => error.code)).to.equal('invalid_key')

    const told = mailThatSays('Known words')
    await say({ content: 'Known words', status: 'approve', author: await site.idOf('stranger') }, admin)
    const notice = await told
    expect(notice.subject).to.equal('[My Pentad site] Comment: "About trains"')
    expect(notice.replyTo).to.equal('stranger@example.org')
    expect(notice.text).to.match(/Trash it: \S+do=trash&key=\S+\nSpam it: /)

    // Someone added by a filter gets links to the admin, where they must log in.
    const undo = site.host.hooks.addFilter('comment_moderation_recipients', (to) => [...to, 'other@example.org'])
    const shared = mailThatSays('Shared words')
    await say({ content: 'Shared words' }, await site.signIn('sharer', 'subscriber'))
    expect((await shared).text)
      .to.match(/Approve it: \S+comment\.php\?action=approve&c=\d+\n/)
      .and.not.contain('key=')
    undo()
  })

  it('notifies no one if the settings say so, nor an author of their own comment', async () => {
    const messages: MailMessage[] = []
    const undo = site.host.hooks.addFilter('wp_mail', (message) => {
      messages.push(message)
      return message
    })
    await setting({ moderationNotify: 'off' })
    await say({ content: 'Nobody hears this' }, await site.signIn('unheard', 'subscriber'))
    await setting({ moderationNotify: 'on' })
    await say({ content: 'My own words' }, admin)
    const last = mailThatSays('The last words')
    await say({ content: 'The last words' }, await site.signIn('last', 'subscriber'))
    await last
    undo()
    expect(messages.map(({ text = '' }) => text).filter((text) => !text.includes('The last words'))).to.deep.equal([])
  })

  function mailThatSays(words: string): Promise<MailMessage> {
    return new Promise((resolve) => {
      const undo = site.host.hooks.addAction('wp_mail_succeeded', (message) => {
        if (!message.text?.includes(words)) return
        undo()
        resolve(message)
      })
    })
  }
})
