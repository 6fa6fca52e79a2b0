import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { useOwnSite } from './own-site.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

onEachDatabase('who says which version they have seen', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  let editor: string
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    editor = await site.signIn('editor', 'editor')
  })

  /** A post of the administrator's that the editor has saved since. */
  async function changedSince(status: string): Promise<{ path: string; seen: string; now: string }> {
    const { item } = await site.ask('POST /wp/v2/posts', { title: 'Shared', content: 'base', status }, admin)
    const path = `/wp/v2/posts/${item.id}`
    const saved = await site.ask(`POST ${path}`, { content: "the editor's" }, editor)
    return { path, seen: String(item.modified_gmt), now: String(saved.item.modified_gmt) }
  }

  const rawContent = async (path: string) =>
    toObject((await site.ask(`GET ${path}?context=edit`, undefined, admin)).item.content).raw

  for (const force of ['', '&force=true']) {
    it(`deletes no newer one${force && ', not for good either'}`, async () => {
      const { path, seen, now } = await changedSince('publish')
      const { status, item } = await site.ask(`DELETE ${path}?modified_gmt=${seen}${force}`, undefined, admin)
      expect([status, item.code, item.data]).to.deep.equal([
        ...[409, 'rest_post_modified', { status: 409, modified_gmt: now }],
      ])
      expect((await site.ask(`GET ${path}`)).item.status).to.equal('publish')
      expect(await site.outcome(`DELETE ${path}?modified_gmt=${now}${force}`, undefined, admin)).to.equal('200')
    })
  }

  it('deletes no newer one by If-Unmodified-Since either, and announces nothing', async () => {
    const { path } = await changedSince('publish')
    const announced: unknown[] = []
    const undo = site.host.hooks.addAction('before_delete_post', (id) => {
      announced.push(id)
    })
    const response = await fetch(`${site.url}/wp-json${path}?force=true`, {
      method: 'DELETE',
      headers: { authorization: admin, 'if-unmodified-since': 'Mon, 01 Jan 2024 00:00:00 GMT' },
    })
    undo()
    expect([response.status, announced]).to.deep.equal([409, []])
  })

  it('saves the own draft over no newer one, though it is an autosave', async () => {
    const { path, seen } = await changedSince('draft')
    const typed = { content: 'typed meanwhile', modified_gmt: seen }
    expect(await site.outcome(`POST ${path}/autosaves`, typed, admin)).to.equal('409 rest_post_modified')
    expect(await rawContent(path)).to.equal("the editor's")
  })

  it('deletes no newer file', async () => {
    const headers = {
      authorization: admin,
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="a.png"',
    }
    const sent = { method: 'POST', headers, body: Buffer.from(PNG, 'base64') }
    const { id, modified_gmt: seen } = toObject(await (await fetch(`${site.url}/wp-json/wp/v2/media`, sent)).json())
    await site.ask(`POST /wp/v2/media/${id}`, { title: 'Changed' }, editor)
    const remove = (query: string) => site.outcome(`DELETE /wp/v2/media/${id}?force=true${query}`, undefined, admin)
    expect(await remove(`&modified_gmt=${seen}`)).to.equal('409 rest_post_modified')
    expect(await remove('')).to.equal('200')
  })
})
