import { expect } from 'chai'
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
    const link = (action: string) => `${site.host.config.url}/wp-admin/comment.php?action=${action}&c=${id}`
    expect(moderation.text).to.contain(
      `Approve it: ${link('approve')}\nTrash it: ${link('trash')}\nSpam it: ${link('spam')}`,
    )
    const opened = await fetch(link('approve').replace(site.host.config.url, site.url), { redirect: 'manual' })
    expect(opened.headers.get('location'), 'a visitor logs in first').to.match(/wp-login\.php\?redirect_to=.*comment/)

    const told = mailThatSays('Known words')
    await say({ content: 'Known words', status: 'approve', author: await site.idOf('stranger') }, admin)
    const notice = await told
    expect(notice.subject).to.equal('[My Pentad site] Comment: "About trains"')
    expect(notice.replyTo).to.equal('stranger@example.org')
    expect(notice.text).to.match(/Trash it: .*action=trash&c=\d+\nSpam it: /)
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
