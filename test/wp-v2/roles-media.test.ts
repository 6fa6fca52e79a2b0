import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { jpeg, type MediaSite, openMediaSite } from './media-site.ts'

/** What a real WordPress answered a role, operation by operation: a status and the code of a refusal. */
const RECORDED: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/roles-golden.json'), 'utf8'),
)

const ROLES = ['visitor', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const
type Role = (typeof ROLES)[number]

/** Which role is the first that may, and what those below are told. An own file is a draft to `map_meta_cap`. */
const MATRIX: Readonly<Record<string, readonly [first: Role, answer: string, code: string]>> = {
  upload: ['author', '201', 'rest_cannot_create'],
  'edit own media': ['contributor', '200', 'rest_cannot_edit'],
  "edit other's media": ['editor', '200', 'rest_cannot_edit'],
  'delete own media': ['contributor', '200', 'rest_cannot_delete'],
  "delete other's media": ['editor', '200', 'rest_cannot_delete'],
  'make the sizes of own media': ['contributor', '200', 'rest_cannot_edit'],
  "make the sizes of other's media": ['editor', '200', 'rest_cannot_edit'],
  'turn own media': ['author', '201', 'rest_cannot_edit_image'],
  "turn other's media": ['editor', '201', 'rest_cannot_edit'],
  "attach own media to other's post": ['editor', '200', 'rest_cannot_edit'],
}

onEachDatabase('who may write media', (databaseUrl) => {
  let site: MediaSite
  let image: Uint8Array
  let otherId: number
  let otherPost: number
  const as = new Map<Role, string>([['visitor', '']])
  const idOf = new Map<Role, number>([['visitor', 0]])

  before(async () => {
    site = await openMediaSite(await databaseUrl())
    const { auth, content } = site.host
    image = await jpeg(40, 30)
    for (const role of ROLES.slice(1)) {
      as.set(role, await site.signIn(`the-${role}`, role))
      idOf.set(role, (await auth.users.getByLogin(`the-${role}`))?.id ?? 0)
    }
    otherId = (await auth.users.create({ login: 'other', email: 'o@example.org', roles: ['author'] })).id
    otherPost = (await content.posts.insert({ title: 'Of another', status: 'publish', authorId: otherId })).id
  })
  after(() => site?.close())

  async function attempt(operation: string, role: Role): Promise<{ status: number; code: unknown }> {
    const who = as.get(role)
    const told = async (answer: ReturnType<MediaSite['send']>) => {
      const { status, item } = await answer
      return { status, code: item.code }
    }
    if (operation === 'upload') return told(site.uploadForm(image, 'new.jpg', {}, who))
    const authorId = operation.includes(' own ') ? idOf.get(role) : otherId
    const { id } = await site.host.content.media.upload({ source: image, name: 'theirs.jpg' }, { authorId })
    const path = `/wp/v2/media/${id}`
    const [verb] = operation.split(' ')
    if (verb === 'edit') return told(site.send('POST', path, { title: 'New' }, who))
    if (verb === 'delete') return told(site.send('DELETE', `${path}?force=true`, undefined, who))
    if (verb === 'attach') return told(site.send('POST', path, { post: otherPost }, who))
    if (verb === 'make')
      return told(site.send('POST', `${path}/post-process`, { action: 'create-image-subsizes' }, who))
    const src = (await site.send('GET', path)).item.source_url
    return told(site.send('POST', `${path}/edit`, { src, rotation: 90 }, who))
  }

  for (const [operation, [first, answer, code]] of Object.entries(MATRIX)) {
    it(`${operation}: from ${first} on`, async () => {
      for (const role of ROLES) {
        const told = await attempt(operation, role)
        const may = ROLES.indexOf(role) >= ROLES.indexOf(first)
        // Who may upload nothing is told so before they are told whose image it is.
        const early = operation.startsWith('turn') && ROLES.indexOf(role) < ROLES.indexOf('author')
        const refusal = `${role === 'visitor' ? 401 : 403} ${early ? 'rest_cannot_edit_image' : code}`
        const outcome = told.status < 400 ? String(told.status) : `${told.status} ${told.code}`
        expect(outcome, role).to.equal(may ? answer : refusal)
        const recorded = RECORDED[role]?.[operation]
        if (recorded !== undefined) expect(outcome, `${role}, as recorded`).to.equal(recorded)
      }
    })
  }
})
