import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { useOwnSite } from './own-site.ts'

/** What a real WordPress answered a role, operation by operation: a status and the code of a refusal. */
const RECORDED: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/roles-golden.json'), 'utf8'),
)

const ROLES = ['visitor', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const
type Role = (typeof ROLES)[number]

/** What each role is answered, in the order of `ROLES`: a status, or the code of a refusal. */
type Row = readonly [string, string, string, string, string, string]

/** Refused up to a role, then let in. */
function from(role: Role, answer: string, code: string): Row {
  const one = (other: Role) => (ROLES.indexOf(other) >= ROLES.indexOf(role) ? answer : code)
  return [one('visitor'), one('subscriber'), one('contributor'), one('author'), one('editor'), one('administrator')]
}

const CREATE = 'rest_cannot_create'
const EDIT = 'rest_cannot_edit'
const DELETE = 'rest_cannot_delete'
const PUBLISH = 'rest_cannot_publish'
const FORBIDDEN = 'rest_forbidden'
const CONTEXT = 'rest_forbidden_context'

/** The matrix by WordPress's rules (`map_meta_cap`, `WP_REST_Posts_Controller`). */
const MATRIX: Readonly<Record<string, Row>> = {
  'create post draft': from('contributor', '201', CREATE),
  'create post pending': from('contributor', '201', CREATE),
  'create post private': [CREATE, CREATE, PUBLISH, '201', '201', '201'],
  'create post publish': [CREATE, CREATE, PUBLISH, '201', '201', '201'],
  'create post future': [CREATE, CREATE, PUBLISH, '201', '201', '201'],
  'create page': from('editor', '201', CREATE),
  'create post as another': from('editor', '201', 'rest_cannot_edit_others'),
  'create sticky': from('author', '201', 'rest_cannot_assign_sticky'),

  ...rowsOf("other's", 'draft', { read: 'editor', edit: 'editor' }),
  ...rowsOf("other's", 'pending', { read: 'editor', edit: 'editor' }),
  ...rowsOf("other's", 'private', { read: 'editor', edit: 'editor' }),
  ...rowsOf("other's", 'publish', { read: 'visitor', edit: 'editor' }),
  ...rowsOf("other's", 'future', { read: 'editor', edit: 'editor' }),
  ...rowsOf('own', 'draft', { read: 'subscriber', edit: 'contributor' }),
  ...rowsOf('own', 'pending', { read: 'subscriber', edit: 'contributor' }),
  ...rowsOf('own', 'private', { read: 'subscriber', edit: 'contributor' }),
  ...rowsOf('own', 'publish', { read: 'visitor', edit: 'author' }),
  ...rowsOf('own', 'future', { read: 'subscriber', edit: 'author' }),

  'give own away': [EDIT, EDIT, 'rest_cannot_edit_others', 'rest_cannot_edit_others', '200', '200'],
  'stick own': [EDIT, EDIT, 'rest_cannot_assign_sticky', '200', '200', '200'],
  'edit own page': from('editor', '200', EDIT),
  "edit other's page": from('editor', '200', EDIT),
  "delete other's page": from('editor', '200', DELETE),
  'revisions of another': from('editor', '200', 'rest_cannot_read'),
  'revisions of own': from('contributor', '200', 'rest_cannot_read'),
  "autosave other's": from('editor', '200', EDIT),
  'autosave own': from('contributor', '200', EDIT),
}

/** A future post is published for capabilities, but not for readers. */
function rowsOf(whose: string, status: string, first: { read: Role; edit: Role }): Record<string, Row> {
  const publish = from(first.edit, '200', EDIT)
  const published: Row = [
    publish[0],
    publish[1],
    publish[2] === '200' ? PUBLISH : publish[2],
    publish[3],
    publish[4],
    publish[5],
  ]
  return {
    [`read ${whose} ${status}`]: from(first.read, '200', FORBIDDEN),
    [`read ${whose} ${status} for edit`]: from(first.edit, '200', CONTEXT),
    [`edit ${whose} ${status}`]: from(first.edit, '200', EDIT),
    [`publish ${whose} ${status}`]: published,
    [`delete ${whose} ${status}`]: from(first.edit, '200', DELETE),
    [`erase ${whose} ${status}`]: from(first.edit, '200', DELETE),
  }
}

describe('who may write posts and pages', () => {
  const site = useOwnSite()
  let other: number
  const as = new Map<Role, string>()
  const idOf = new Map<Role, number>([['visitor', 0]])

  before(async () => {
    for (const role of ROLES.slice(1)) {
      as.set(role, await site.signIn(`the-${role}`, role))
      idOf.set(role, await site.idOf(`the-${role}`))
    }
    other = (await site.host.auth.users.create({ login: 'other', email: 'o@example.org', roles: ['author'] })).id
  })

  async function make(role: Role, whose: string, status: string, type = 'post'): Promise<number> {
    const dateGmt = status === 'future' ? '2099-01-01T00:00:00' : undefined
    const authorId = whose === 'own' ? (idOf.get(role) ?? 0) : other
    return (await site.host.content.posts.insert({ type, title: 'T', content: 'C', status, authorId, dateGmt })).id
  }

  const creations: Readonly<Record<string, object>> = {
    'post draft': { status: 'draft' },
    'post pending': { status: 'pending' },
    'post private': { status: 'private' },
    'post publish': { status: 'publish' },
    'post future': { status: 'future', date_gmt: '2099-01-01T00:00:00' },
    'post as another': { author: 1 },
    sticky: { sticky: true },
  }

  /** Tries what a row is called. */
  async function attempt(operation: string, role: Role): Promise<string> {
    const answer = (route: string, body?: object) => site.outcome(route, body, as.get(role))
    const [verb = '', ...rest] = operation.split(' ')
    if (verb === 'create') {
      const created = creations[rest.join(' ')]
      return answer(`POST /wp/v2/${created ? 'posts' : 'pages'}`, { title: 'New', ...created })
    }
    const [whose = '', what = ''] = rest
    const kind = what === 'page' ? 'pages' : 'posts'
    const status = what === 'page' ? 'publish' : what
    if (verb === 'revisions') {
      const id = await make(role, rest[1] === 'own' ? 'own' : 'other', 'draft')
      return answer(`GET /wp/v2/posts/${id}/revisions`)
    }
    const id = await make(
      role,
      whose,
      ['away', ''].includes(status) ? 'draft' : status,
      kind === 'pages' ? 'page' : 'post',
    )
    const path = `/wp/v2/${kind}/${id}`
    if (verb === 'read') return answer(`GET ${path}${rest[3] === 'edit' ? '?context=edit' : ''}`)
    if (verb === 'delete') return answer(`DELETE ${path}`)
    if (verb === 'erase') return answer(`DELETE ${path}?force=true`)
    if (verb === 'autosave') return answer(`POST ${path}/autosaves`, { title: 'Typing' })
    const changes: Readonly<Record<string, object>> = {
      edit: { title: 'Changed' },
      // What is scheduled is not published by saying what it is already.
      publish: { status: 'publish', ...(what === 'future' && { date_gmt: '2020-01-01T00:00:00' }) },
      give: { author: 1 },
      stick: { sticky: true },
    }
    return answer(`POST ${path}`, changes[verb])
  }

  /** What a row says of a role in the words of the recording. */
  function wordsFor(operation: string, role: Role): string {
    const answer = MATRIX[operation]?.[ROLES.indexOf(role)] ?? ''
    return /^\d/.test(answer) ? answer : `${role === 'visitor' ? 401 : 403} ${answer}`
  }

  for (const operation of Object.keys(MATRIX)) {
    it(operation, async () => {
      const told: Record<string, string> = {}
      for (const role of ROLES) told[role] = await attempt(operation, role)
      expect(told).to.deep.equal(Object.fromEntries(ROLES.map((role) => [role, wordsFor(operation, role)])))
    })
  }

  it('is what was recorded from WordPress, where it was', () => {
    for (const role of ['contributor', 'author'] as const) {
      const recorded = RECORDED[role] ?? {}
      const both = Object.keys(MATRIX).filter((operation) => Object.hasOwn(recorded, operation))
      expect(both).to.have.length.greaterThan(40)
      for (const operation of both) expect(wordsFor(operation, role), operation).to.equal(recorded[operation])
    }
  })
})
