import { expect } from 'chai'
import type { User } from '../../core/auth/types.ts'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

/** Books, which librarians may lend out and authors may not touch. */
const LIBRARY = (plural: string) =>
  extensionSource(
    'library',
    `
    host.content.registerPostType({ name: 'book', label: 'Books', singularLabel: 'Book', hierarchical: false, public: true,
      restBase: null, taxonomies: [], supports: [], capabilityType: ['book', '${plural}'], description: '' })
    host.auth.addRole('librarian', 'Librarian', ['read', 'edit_${plural}', 'edit_others_${plural}', 'edit_published_${plural}'])
    `,
  )

describe('a post type of an extension with capabilities of its own', () => {
  let site: ExtensionSite
  let author: User
  let librarian: User
  let book: number

  before(async () => {
    site = await createExtensionSite()
    await site.extensions.load()
    site.write('library', { 'index.ts': LIBRARY('books') })
    await site.extensions.activate('library')
    author = await site.auth.users.create({ login: 'ann', roles: ['author'] })
    librarian = await site.auth.users.create({ login: 'lib', roles: ['librarian'] })
    const post = await site.content.posts.insert({
      type: 'book',
      title: 'Moby',
      status: 'publish',
      authorId: author.id,
    })
    book = post.id
  })
  after(() => site.close())

  const mayEdit = async () => ({
    author: await site.auth.can(author, 'edit_post', book),
    librarian: await site.auth.can(librarian, 'edit_post', book),
  })

  it('asks for them: its author needs them too, and edit_book means edit_post', async () => {
    expect(await mayEdit()).to.deep.equal({ author: false, librarian: true })
    expect(await site.auth.can(librarian, 'edit_book', book)).to.equal(true)
    expect(await site.auth.can(author, 'edit_book', book)).to.equal(false)
    expect(await site.auth.can(librarian, 'delete_post', book)).to.equal(false)
    expect(await site.auth.can(librarian, 'publish_post', book)).to.equal(false)
    const needed: (readonly string[])[] = []
    const undo = site.hooks.addFilter('map_meta_cap', (mapped) => {
      needed.push(mapped)
      return mapped
    })
    await site.auth.can(librarian, 'delete_post', book)
    undo()
    expect(needed).to.deep.equal([['delete_others_books', 'delete_published_books']])
  })

  it('changes them on a reload, and keeps them when the reload fails', async () => {
    site.write('library', { 'index.ts': LIBRARY('volumes').replace("'edit_others_volumes', ", '') })
    await site.extensions.reload('library')
    expect(await mayEdit()).to.deep.equal({ author: false, librarian: false })
    const misnamed = "host.content.registerPostType({ name: 'A Book' }); host.auth.addRole"
    site.write('library', { 'index.ts': LIBRARY('books').replace('host.auth.addRole', misnamed) })
    const { message } = await refusal(site.extensions.reload('library'))
    expect(message).to.contain('"A Book" is not a valid name')
    expect(await mayEdit()).to.deep.equal({ author: false, librarian: false })
    site.write('library', { 'index.ts': LIBRARY('books') })
    await site.extensions.reload('library')
    expect(await mayEdit()).to.deep.equal({ author: false, librarian: true })
  })

  it('loses them with the extension', async () => {
    await site.extensions.deactivate('library')
    expect(site.content.postTypes().has('book')).to.equal(false)
    expect(await mayEdit()).to.deep.equal({ author: false, librarian: false })
    const editor = await site.auth.users.create({ login: 'ed', roles: ['editor'] })
    expect(await site.auth.can(editor, 'edit_post', book), 'an unknown type asks for edit_others_posts').to.equal(true)
    expect(await site.auth.can(editor, 'edit_book', book)).to.equal(false)
  })
})
