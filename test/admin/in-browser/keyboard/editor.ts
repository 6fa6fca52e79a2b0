import { expect } from 'chai'
import type { Walk } from './keys.ts'

/** The editor: every block is inserted, filled, moved, and edited from the keyboard. */
export function editor(walk: () => Walk): void {
  const stored = async () => {
    const { admin, keys } = walk()
    const id = Number(new URL(keys.page.url()).pathname.split('/').at(-1))
    return (await admin.site.host.content.posts.get(id))?.content ?? ''
  }
  async function insert(search: string): Promise<void> {
    const { page, keys } = walk().keys
    const field = page.getByRole('combobox', { name: 'Search blocks' })
    await page.locator('.ProseMirror > p[data-placeholder^="Type /"]').waitFor()
    await page.keyboard.type('/')
    await field.waitFor()
    await page.keyboard.type(search)
    await page.getByRole('option').first().waitFor()
    await keys('Enter')
    await field.waitFor({ state: 'detached' })
  }
  /** A button of the toolbar, from the text. */
  async function tool(name: string): Promise<void> {
    const { keys } = walk()
    await keys.keys('Alt+F10')
    await keys.to(name, 'ArrowRight')
    await keys.keys('Enter')
  }

  it('writes a post with a gallery, columns, and a table, and publishes it', async () => {
    const { keys } = walk()
    const { page } = keys
    await keys.open('/wp-admin/posts/new')
    await keys.type('Title', 'Salt and bread')
    await keys.keys('Enter')
    await keys.arriveAt('Content')
    await page.keyboard.type('First')
    await keys.keys('Enter')
    await insert('gallery')
    await page.getByRole('dialog').getByRole('button', { name: 'tower' }).waitFor()
    await keys.press('tower')
    await keys.press('bread', 'Space')
    await keys.look()
    await keys.press('Use 2 files')
    await keys.arriveAt('Content')
    await page.locator('.ProseMirror figure img').nth(1).waitFor()
    await tool('Add caption')
    await page.keyboard.type('Two pictures')
    await keys.keys('ArrowRight')
    await insert('columns')
    await page.keyboard.type('Left')
    await tool('Add column')
    await page.keyboard.type('Right')
    await keys.keys('ArrowRight')
    await insert('table')
    await page.keyboard.type('Year')
    await keys.keys('Tab')
    await page.keyboard.type('Price')
    await tool('Insert row after')
    await keys.look()
    await tool('Move block up')
    await tool('Alignment')
    await page.getByRole('menu').waitFor()
    await keys.look()
    await keys.to('Wide width', 'ArrowDown')
    await keys.keys('Enter')
    await keys.arriveAt('Content')
    await keys.to('Publish', 'Shift+Tab')
    await keys.keys('Enter')
    await page.getByText('Post published.').waitFor()
    await keys.arriveAt('Update')
    const kinds = [...(await stored()).matchAll(/<!-- wp:(\S+)/g)].map(([, kind]) => kind)
    expect(kinds).to.deep.equal([
      'paragraph',
      'gallery',
      'image',
      'image',
      'table',
      'columns',
      ...Array(3).fill(['column', 'paragraph']).flat(),
    ])
    expect(await stored()).to.match(/<figure class="wp-block-table alignwide">.*(<tr>.*){4}/)
  })

  it('finds and replaces, reuses a block as a pattern, and leaves the text of every kind', async () => {
    const { admin, keys } = walk()
    const { page } = keys
    const text =
      '<!-- wp:list -->\n<ul class="wp-block-list"><!-- wp:list-item -->\n<li>Salt</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->'
    const { id } = await admin.site.host.content.posts.insert({ title: 'Salt', content: text, status: 'draft' })
    await keys.open(`/wp-admin/posts/${id}`)
    await keys.to('Content')
    await keys.keys('Control+Shift+H')
    await keys.arriveAt('Find')
    await page.keyboard.type('Salt')
    await page.getByText('1 match', { exact: true }).waitFor()
    await keys.type('Replace with', 'Sugar')
    await keys.press('Replace all')
    await page.getByText('No matches').waitFor()
    await keys.arriveAt('Find')
    await keys.keys('Escape')
    await keys.arriveAt('Content')
    await tool('Create pattern')
    await page.getByRole('dialog', { name: 'Create pattern' }).waitFor()
    await keys.type('Name', 'Sweet list')
    await keys.press('Create')
    await keys.arriveAt('Create pattern')
    await keys.keys('Escape')
    await keys.arriveAt('Content')
    await keys.keys('Control+End', 'Enter', 'Enter')
    await tool('Add block')
    await keys.arriveAt('Search blocks')
    await page.keyboard.type('sweet')
    await page.getByRole('option', { name: 'Sweet list' }).waitFor()
    await keys.keys('Enter')
    await keys.arriveAt('Content')
    await keys.keys('Control+s')
    await page.getByText(/^Saved /).waitFor()
    expect((await stored()).match(/<li>Sugar<\/li>/g)).to.have.length(2)
  })

  it('compares and restores a revision', async () => {
    const { admin, keys } = walk()
    const { page } = keys
    const { posts } = admin.site.host.content
    const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`
    const { id } = await posts.insert({ title: 'Revised', content: paragraph('Rye'), status: 'draft', authorId: 1 })
    for (const text of ['Rye and wheat', 'Wheat']) await posts.update(id, { content: paragraph(text) })
    await keys.open(`/wp-admin/posts/${id}`)
    await keys.to('Revisions', 'Shift+Tab')
    await keys.keys('Enter')
    const dialog = page.getByRole('dialog', { name: 'Revisions' })
    await dialog.locator('del, ins').first().waitFor()
    await keys.look()
    const oldest = dialog.locator('button[aria-pressed]').last()
    await keys.to('Revisions')
    for (let stops = 0; stops < 5 && !(await oldest.evaluate((one) => one.matches(':focus'))); stops++)
      await keys.keys('Tab')
    await keys.keys('Enter')
    await dialog.locator('button[aria-pressed=true]:focus').waitFor()
    await dialog.locator('ins').filter({ hasText: 'Rye' }).waitFor()
    await keys.look()
    await keys.press('Restore this revision')
    await dialog.waitFor({ state: 'detached' })
    await keys.arriveAt('Revisions')
    await keys.keys('Control+s')
    await page.getByText(/^Saved /).waitFor()
    expect(await stored()).to.equal(paragraph('Rye'))
    await keys.keys('Enter')
    await dialog.waitFor()
    await keys.keys('Escape')
    await keys.arriveAt('Revisions')
  })

  it('hides everything but the text, also from a field that is hidden, and leaves that again', async () => {
    const { keys } = walk()
    const { page } = keys
    const navigation = page.getByRole('navigation', { name: 'Admin menu' })
    await keys.open('/wp-admin/posts/new')
    await keys.to('Distraction free', 'Shift+Tab')
    await keys.keys('Enter')
    await navigation.waitFor({ state: 'hidden' })
    await keys.arriveAt('Distraction free')
    await keys.look()
    await keys.type('Title', 'Quiet')
    await keys.keys('Enter')
    await keys.arriveAt('Content')
    await page.keyboard.type('Only text')
    await keys.keys('Control+Shift+Backslash')
    await navigation.waitFor()
    await keys.arriveAt('Content')
    await keys.to('Tags')
    await keys.keys('Control+Shift+Backslash')
    await navigation.waitFor({ state: 'hidden' })
    await keys.arriveAt('Content')
    await keys.look()
    await keys.keys('Control+Shift+Backslash')
    await navigation.waitFor()
    await keys.keys('Control+s')
    await page.getByText(/^Saved /).waitFor()
  })

  it('describes, crops, and rotates an image', async () => {
    const { admin, keys } = walk()
    const { page } = keys
    const { posts } = admin.site.host.content
    const { items } = await posts.query({ types: ['attachment'], statuses: ['inherit'], search: 'tower' })
    const image = items[0]?.id ?? 0
    const { id } = await posts.insert({
      ...{ title: 'Tower', status: 'draft' },
      content: `<!-- wp:image {"id":${image}} -->\n<figure class="wp-block-image"><img src="/wp-content/uploads/2026/02/tower-1024x683.jpg" alt="" class="wp-image-${image}"/></figure>\n<!-- /wp:image -->`,
    })
    await keys.open(`/wp-admin/posts/${id}`)
    await keys.to('Content')
    await tool('Alternative text')
    await page.getByRole('dialog').waitFor()
    await keys.type('Alternative text', 'A tower')
    await keys.keys('Enter')
    await keys.arriveAt('Alternative text')
    await keys.keys('Escape')
    await keys.arriveAt('Content')
    await tool('Crop and rotate')
    await page.getByRole('dialog', { name: 'Edit image' }).waitFor()
    await keys.press('Rotate right')
    await keys.type('Width (%)', '50')
    await keys.look()
    await keys.press('Save as copy')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keys.arriveAt('Crop and rotate')
    await keys.keys('Escape')
    await keys.arriveAt('Content')
    await keys.keys('Control+s')
    await page.getByText(/^Saved /).waitFor()
    const now = await stored()
    expect(now).to.include('alt="A tower"')
    expect(Number(/wp-image-(\d+)/.exec(now)?.[1])).to.be.above(image)
  })
}
