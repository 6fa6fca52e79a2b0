import { z } from 'zod'
import { metaSchema } from '../declared-meta.ts'
import { pathId } from '../parameters.ts'

const line = z.string().max(250)
/** WordPress's `validate_username`: only characters that `sanitize_user` keeps. */
const LOGIN = /^[a-z0-9_.@-]+(?: [a-z0-9_.@-]+)*$/i

const refinement = (code: string, message: string) => ({ error: message, params: { code } })

const username = z
  .string()
  .max(60)
  .refine(
    (name) => LOGIN.test(name),
    refinement(
      'rest_user_invalid_username',
      'This username is invalid because it uses illegal characters. Please enter a valid username.',
    ),
  )
  .describe('Login name for the user.')

const password = z
  .string()
  .max(4096)
  .refine((text) => text !== '', refinement('rest_user_invalid_password', 'Passwords cannot be empty.'))
  .refine(
    (text) => !text.includes('\\'),
    refinement('rest_user_invalid_password', 'Passwords cannot contain the "\\" character.'),
  )
  .describe('Password for the user (never included).')

const email = z.email().max(100).describe('The email address for the user.')

const fields = {
  name: line.optional().describe('Display name for the user.'),
  first_name: line.optional().describe('First name for the user.'),
  last_name: line.optional().describe('Last name for the user.'),
  nickname: line.optional().describe('The nickname for the user.'),
  url: z
    .union([z.url({ protocol: /^https?$/ }).max(250), z.literal('')])
    .optional()
    .describe('URL of the user.'),
  description: z.string().max(65_535).optional().describe('Description of the user.'),
  locale: z
    .string()
    .regex(/^(?:[a-zA-Z]{2,3}(?:[_-][a-zA-Z0-9]+)*)?$/)
    .max(20)
    .optional()
    .describe('Locale for the user; empty for the language of the site.'),
  profile_picture: z.int().min(0).optional().describe('ID of an image in the media library; 0 for none.'),
  meta: metaSchema,
  slug: z.string().max(200).optional().describe('An alphanumeric identifier for the user.'),
  roles: z.array(z.string().max(100)).max(20).optional().describe('Roles assigned to the user.'),
}

const changes = { username: username.optional(), email: email.optional(), password: password.optional(), ...fields }

export const createSchema = z.object({ username, email, password, ...fields, id: pathId.optional() })
export const updateSchema = z.object({ id: pathId, ...changes })
export const updateMeSchema = z.object(changes)

const deletion = {
  force: z.boolean().default(false).describe('Required to be true, as users do not support trashing.'),
  reassign: z
    .union([z.int().min(0), z.literal(false), z.literal(''), z.literal('false')])
    .describe("Reassign the deleted user's posts and links to this user ID."),
}

export const deleteSchema = z.object({ id: pathId, ...deletion })
export const deleteMeSchema = z.object(deletion)

export type AskedUser = z.output<typeof updateMeSchema>
export type AskedDeletion = z.output<typeof deleteMeSchema>

/** Required shape of the value filtered by `rest_pre_insert_user`. */
export const preparedSchema = z.object({
  login: z.string(),
  email: z.string().optional(),
  password: z.string().optional(),
  displayName: z.string().optional(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  url: z.string().optional(),
  description: z.string().optional(),
  locale: z.string().optional(),
  slug: z.string().optional(),
  roles: z.array(z.string()).optional(),
})
