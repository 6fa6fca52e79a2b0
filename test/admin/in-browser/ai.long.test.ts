import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { openProviderServer, type ProviderServer } from '../../ai/provider-server/index.ts'
import { type AdminSite, expectAccessible, openAdminSite, shoot } from '../admin-site.ts'

const KEY = 'sk-proj-this-must-never-be-seen'
const DESCRIPTION = '_seo_description'

describe('AI in the admin', () => {
  let admin: AdminSite
  let models: ProviderServer
  let page: Page
  let panel: Locator
  const posts: number[] = []

  before(async () => {
    admin = await openAdminSite()
    models = await openProviderServer()
    // What a provider does wrong is answered with 502.
    admin.allow(/^502 \/wp-json\/ai/)
    admin.site.respond(models.responder)
    const { content } = admin.site.host
    for (const title of ['Morning fog', 'Evening light']) {
      posts.push((await content.posts.insert({ title, status: 'publish', content: 'Words.', slug: slugOf(title) })).id)
    }
    page = await admin.signIn('administrator', '/wp-admin/ai')
    panel = page.getByRole('complementary', { name: 'Copilot' })
  })

  after(async () => {
    await admin?.close()
    await models?.close()
  })

  const goTo = async (name: string) => {
    await page.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }

  it('connects a provider: its key is kept and never shown, a test says whether it works', async () => {
    const openAi = page.getByRole('region', { name: 'OpenAI', exact: true })
    await openAi.getByText('Not connected').waitFor()
    await openAi.getByLabel('OpenAI API key', { exact: true }).fill(KEY)
    await openAi.getByRole('button', { name: 'Save OpenAI', exact: true }).click()
    await openAi.getByText('Not tested').waitFor()
    expect(await openAi.getByLabel('OpenAI API key', { exact: true }).inputValue()).to.equal('')

    models.script({ status: 401, message: `Incorrect API key provided: ${KEY}` })
    await openAi.getByRole('button', { name: 'Test connection: OpenAI', exact: true }).click()
    await openAi.getByText('Connection failed').waitFor()
    await openAi.getByText('Test failed').waitFor()
    models.script('ready')
    await openAi.getByRole('button', { name: 'Test connection: OpenAI', exact: true }).click()
    await openAi.getByText('gpt-5.4-mini responded using 15 tokens').waitFor()
    await openAi.getByText('Connected', { exact: true }).waitFor()
    expect(models.asked[0]?.headers.authorization).to.equal(`Bearer ${KEY}`)
    await page.getByRole('cell', { name: /^openai\/gpt-image/ }).waitFor()
    expect(await page.content()).not.to.contain(KEY)
    await expectAccessible(page)
    await shoot(page, 'ai-providers')
  })

  it('talks to the copilot from any screen, and says which that is', async () => {
    await goTo('Dashboard')
    await page.keyboard.press('Control+J')
    await panel.getByLabel('Your message').waitFor()
    expect(await panel.getByLabel('Your message').evaluate((field) => field.matches(':focus'))).to.equal(true)

    const { promise: hold, resolve: go } = Promise.withResolvers<void>()
    models.script(
      { calls: posts.map((id, at) => described(id, `About ${at === 0 ? 'fog' : 'light'}.`)) },
      { text: 'I have prepared **two** descriptions.', hold },
    )
    await page.keyboard.type('Describe the new posts')
    await page.keyboard.press('Enter')
    await panel.getByRole('button', { name: 'Stop' }).waitFor()
    expect(models.asked[0]?.prompt).to.match(/Describe the new posts[\s\S]+I am viewing:[\s\S]+Dashboard/)

    // What is under way outlives the page.
    await page.reload()
    await panel.getByRole('button', { name: 'Stop' }).waitFor()
    await panel.getByText('Describe the new posts').waitFor()
    // And so it does while the panel is closed.
    await page.keyboard.press('Control+J')
    await panel.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    go()
    while ((await turns()) === 0) await page.waitForTimeout(50)
    await page.keyboard.press('Control+J')
    await panel.getByText('two', { exact: true }).waitFor()
    await panel.getByRole('button', { name: '2 tools used' }).click()
    await panel.getByTitle('content/edit-post').first().waitFor()
  })

  it('shows each change before and after, and makes it only when it is applied', async () => {
    const card = panel.getByRole('article').filter({ hasText: 'Morning fog' })
    expect(await card.locator('ins').textContent()).to.contain('About fog.')
    expect(await page.title()).to.contain('Dashboard')
    await expectAccessible(page)
    await shoot(page, 'copilot')
    expect(await publicPage('Morning fog')).not.to.contain('About fog.')

    await card.getByRole('button', { name: /^Apply/ }).click()
    await card.getByText('Applied', { exact: true }).waitFor()
    expect(await publicPage('Morning fog')).to.contain('content="About fog."')

    const other = panel.getByRole('article').filter({ hasText: 'Evening light' })
    await other.getByRole('button', { name: /^Discard/ }).click()
    await other.getByText('Discarded', { exact: true }).waitFor()
    expect(await publicPage('Evening light')).not.to.contain('About light.')
  })

  it('shows that the content has changed meanwhile, with the new differences', async () => {
    const [id = 0] = posts
    models.script({ calls: [retitle(id, 'Morning mist')] }, 'Prepared.')
    await say('A better title, please')
    const card = panel.getByRole('article').filter({ hasText: 'mist' })
    await card.waitFor()
    expect(await card.locator('del').textContent()).to.contain('fog')
    expect(await card.locator('ins').textContent()).to.contain('mist')
    await admin.site.host.content.posts.update(id, { title: 'Morning haze' })
    await card.getByRole('button', { name: /^Apply/ }).click()
    await card.getByText('Content has changed').waitFor()
    expect(await card.getByRole('alert').locator('ins').textContent()).to.contain('haze')

    const draft = { name: 'content__draft-post', input: { title: 'More about dew' } }
    models.script({ calls: [retitle(id, 'Morning dew'), draft] }, 'Prepared anew.')
    await card.getByRole('button', { name: 'Ask again' }).click()
    await panel.getByText('Prepared anew.').waitFor()
    await panel.getByRole('button', { name: 'Apply all' }).click()
    await panel.getByText('2 pending changes').waitFor({ state: 'hidden' })
    expect((await admin.site.host.content.posts.get(id))?.title).to.equal('Morning dew')
    const drafts = await admin.site.host.content.posts.query({ statuses: ['draft'], search: 'More about dew' })
    expect(drafts.total).to.equal(1)
  })

  it('shows errors and retries; stops on request', async () => {
    models.script({ status: 401 })
    await say('Hello')
    await panel.getByText('The copilot could not answer').waitFor()
    await panel.getByRole('link', { name: 'Check API keys' }).waitFor()
    models.script({ text: 'Hello there, and', finish: 'length' })
    await panel.getByRole('button', { name: 'Try again' }).click()
    await panel.getByText('The answer was cut off').waitFor()
    models.script({ hang: true })
    await panel.getByRole('button', { name: 'Continue' }).click()
    await panel.getByRole('button', { name: 'Stop' }).click()
    await panel.getByText('The partial answer was discarded.').waitFor()
  })

  it('mentions posts, which the model then reads', async () => {
    models.script('It is about fog.')
    const message = panel.getByLabel('Your message')
    await message.fill('What is ')
    await message.press('End')
    await page.keyboard.type('@Evening')
    await page.getByRole('option', { name: /Evening light/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await panel.getByText('Evening light', { exact: true }).first().waitFor()
    await page.keyboard.press('Enter')
    await panel.getByText('It is about fog.').waitFor()
    expect(models.asked[0]?.prompt).to.contain(`Post ${posts[1]}, which I mention`)

    await page.keyboard.type('@Evening')
    await page.getByRole('option', { name: /Evening light/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('option', { name: /Evening light/ }).waitFor({ state: 'hidden' })
    await message.fill('')
    await page.keyboard.press('Escape')
    await message.waitFor({ state: 'hidden' })
  })

  it('lists pending changes, conversations and the audit log', async () => {
    await page.getByRole('link', { name: 'AI', exact: true }).click()
    await goTo('Proposed changes')
    await page.getByRole('article').filter({ hasText: 'mist' }).waitFor()
    await shoot(page, 'ai-changes')
    await goTo('Conversations')
    await page.getByRole('button', { name: 'Describe the new posts', exact: true }).click()
    await panel.getByText('I have prepared').waitFor()
    await panel.getByRole('button', { name: 'Close copilot' }).click()
    await shoot(page, 'ai-conversations')
    await goTo('Audit log')
    await page.getByRole('cell', { name: 'Failed The content was changed in the meantime.' }).waitFor()
    await page.getByRole('cell', { name: 'Robin Administrator' }).first().waitFor()
    await expectAccessible(page)
    await shoot(page, 'ai-audit-log')
  })

  it('shows the token usage', async () => {
    await goTo('Usage')
    const answer = await admin.site.get('/wp-json/ai/v1/usage', { as: 'administrator' })
    const { users } = JSON.parse(await answer.text()).data
    const [{ inputTokens, outputTokens, calls }] = users
    expect(calls).to.be.greaterThan(5)
    await page
      .getByText((inputTokens + outputTokens).toLocaleString('en'), { exact: true })
      .first()
      .waitFor()
    await page.locator('figure svg.recharts-surface').first().waitFor()
    await page.getByRole('button', { name: 'Show as table' }).click()
    await page.getByRole('table', { name: 'Tokens per day' }).getByRole('row').nth(30).waitFor()
    await page.getByRole('table', { name: 'By feature' }).getByText('Copilot').waitFor()
    await page.getByRole('button', { name: 'Hide table' }).click()
    await expectAccessible(page)
    await shoot(page, 'ai-usage')
  })

  it('sets the helpdesk up with a preview, and the tools of browser agents', async () => {
    await goTo('Helpdesk')
    await page.getByText('visitors don’t see the button').waitFor()
    await page.getByRole('switch', { name: 'Helpdesk' }).click()
    await page.getByRole('img', { name: /contact form/ }).waitFor()
    await page.getByLabel('Email recipient').fill('not an address')
    await page.getByRole('button', { name: 'Save changes', exact: true }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Email recipient').fill('desk@example.org')
    const saved = page.waitForResponse((answer) => answer.url().includes('/settings/ai') && answer.ok())
    await page.getByRole('button', { name: 'Save changes', exact: true }).click()
    await saved
    expect(await publicPage('Morning fog')).to.contain('ai-helpdesk')
    await expectAccessible(page)
    await shoot(page, 'ai-helpdesk')

    await goTo('Browser tools')
    await page.getByText('Agents can use these tools once browser tools are turned on.').waitFor()
    await page.getByRole('cell', { name: /search_content$/ }).waitFor()
    await page.getByRole('switch', { name: 'Browser tools' }).click()
    await page.getByRole('button', { name: 'Save changes', exact: true }).click()
    await page.getByText('Agents can use these tools.').waitFor()
    await expectAccessible(page)
    await shoot(page, 'ai-browser-tools')
  })

  it('is for administrators', async () => {
    const editor = await admin.signIn('editor', '/wp-admin/ai')
    await editor.getByText('This page does not exist, or you are not allowed to open it').waitFor()
    expect(await editor.getByRole('button', { name: 'Copilot' }).count()).to.equal(0)
    await editor.context().close()
  })

  /** How many messages were answered or not. */
  async function turns(): Promise<number> {
    const answer = await admin.site.get('/wp-json/ai/v1/audit-log?event=turn', { as: 'administrator' })
    return JSON.parse(await answer.text()).data.total
  }

  async function say(message: string): Promise<void> {
    await panel.getByLabel('Your message').fill(message)
    await page.keyboard.press('Enter')
  }

  async function publicPage(title: string): Promise<string> {
    return (await admin.site.get(`/${slugOf(title)}/`)).text()
  }
})

const slugOf = (title: string) => title.toLowerCase().replace(' ', '-')
const described = (id: number, text: string) => ({
  name: 'content__edit-post',
  input: { id, meta: { [DESCRIPTION]: text } },
})
const retitle = (id: number, title: string) => ({ name: 'content__edit-post', input: { id, title } })
