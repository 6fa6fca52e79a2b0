import { z } from 'zod'
import type { Auth, User } from '../../../core/auth/types.ts'
import { RestError } from '../../../core/errors.ts'
import { success } from '../../../core/rest/response.ts'
import { successSchema } from '../../../core/rest/response-schemas.ts'
import type { Rest, RestRequest } from '../../../core/rest/types.ts'
import type { TwoFactor, TwoFactorStatus } from './types.ts'
import { registrationSchema } from './webauthn.ts'

const codes = successSchema(
  z.object({ recoveryCodes: z.array(z.string()).describe('Shown only once; each can be used once.') }),
)
const passkeyShape = z.object({
  id: z.string(),
  name: z.string(),
  created: z.string(),
  lastUsed: z.string().nullable(),
})
const statusShape = z.object({
  app: z.boolean().describe('Whether an authenticator app is set up.'),
  passkeys: z.array(passkeyShape),
  recoveryCodes: z.int().describe('Number of unused recovery codes.'),
  required: z.boolean().describe('Whether a role of the user requires two-factor authentication.'),
})
const isSignedIn = ({ user }: { readonly user: User | null }) => user !== null

/** Two-factor authentication: users set it up for themselves; users who can edit an account see its state and can turn it off. */
export function registerTwoFactorRoutes(
  rest: Rest,
  { users, sessions, requireConfirmation }: Pick<Auth, 'users' | 'sessions' | 'requireConfirmation'>,
  twoFactor: TwoFactor,
): void {
  /** The current user, whose session was confirmed with the password. */
  async function confirmed({ user, identity }: Pick<RestRequest, 'user' | 'identity'>): Promise<User> {
    await requireConfirmation(identity)
    if (!user) throw new RestError('rest_not_logged_in', 'You are not currently logged in.', { status: 401 })
    return user
  }

  async function named({ params }: Pick<RestRequest, 'params'>): Promise<User> {
    const user = await users.get(Number(params.user_id))
    if (!user) throw new RestError('rest_user_invalid_id', 'Invalid user ID.', { status: 404 })
    return user
  }

  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/two-factor/prepare',
    summary: 'Creates a secret for an authenticator app, with its QR code. Nothing is stored yet.',
    access: isSignedIn,
    response: successSchema(
      z.object({
        secret: z.string().describe('Base32, to be entered if the QR code cannot be scanned.'),
        uri: z.string().describe('The content of the QR code.'),
        qrCode: z.array(z.array(z.boolean())).describe('Rows of modules; `true` is dark.'),
      }),
    ),
    batch: false,
    async handler(request) {
      return success(twoFactor.prepare(await confirmed(request)))
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/two-factor',
    summary: "Turns on two-factor authentication for the current user, and ends the user's other sessions.",
    access: isSignedIn,
    input: z.object({
      secret: z
        .string()
        .regex(/^[A-Z2-7]{32}$/)
        .describe('The secret from `two-factor/prepare`.'),
      code: z.string().max(20).describe('The code that the authenticator app shows.'),
    }),
    response: codes,
    batch: false,
    async handler(request) {
      const user = await confirmed(request)
      const recoveryCodes = await twoFactor.enable(user, request.input.secret, request.input.code)
      if (request.identity.session) await sessions.endOthers(user.id, request.identity.session.id)
      return success({ recoveryCodes: [...recoveryCodes] })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/two-factor/recovery-codes',
    summary: 'Creates new recovery codes for the current user, which replace the previous ones.',
    access: isSignedIn,
    response: codes,
    batch: false,
    handler: async (request) =>
      success({ recoveryCodes: [...(await twoFactor.createRecoveryCodes(await confirmed(request)))] }),
  })
  const ofUser = {
    path: '/users/{user_id:\\d+}/two-factor',
    access: ({ can, params }: Pick<RestRequest, 'can' | 'params'>) => can('edit_user', Number(params.user_id)),
    response: successSchema(statusShape),
  }
  rest.registerRoute('host/v1', {
    ...ofUser,
    method: 'GET',
    summary: 'Returns the two-factor methods that a user has set up.',
    handler: async (request) => success(shown(await twoFactor.status(await named(request)))),
  })
  rest.registerRoute('host/v1', {
    ...ofUser,
    method: 'DELETE',
    summary:
      "Turns off a user's two-factor authentication: removes the authenticator app, the passkeys, and the recovery codes.",
    async handler(request) {
      await requireConfirmation(request.identity)
      const user = await named(request)
      await twoFactor.disable(user)
      return success(shown(await twoFactor.status(user)))
    },
  })
  rest.registerRoute('host/v1', {
    ...ofUser,
    method: 'DELETE',
    path: `${ofUser.path}/passkeys/{passkey:[\\w-]+}`,
    summary: "Removes one of a user's passkeys.",
    async handler(request) {
      await requireConfirmation(request.identity)
      const user = await named(request)
      await twoFactor.removePasskey(user, request.params.passkey ?? '')
      return success(shown(await twoFactor.status(user)))
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/two-factor/passkeys/options',
    summary: 'Returns the options with which a browser creates a passkey for the current user.',
    access: isSignedIn,
    response: successSchema(z.record(z.string(), z.unknown()).describe('`PublicKeyCredentialCreationOptionsJSON`.')),
    batch: false,
    handler: async (request) =>
      success({ ...(await twoFactor.passkeys.registrationOptions(await confirmed(request))) }),
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/two-factor/passkeys',
    summary: 'Adds a passkey for the current user.',
    access: isSignedIn,
    input: z.object({
      name: z.string().trim().min(1).max(100).describe('Such as the name of the device.'),
      credential: registrationSchema.describe("The browser's `RegistrationResponseJSON`."),
    }),
    response: successSchema(
      z.object({
        passkey: passkeyShape,
        recoveryCodes: z
          .array(z.string())
          .describe('Shown only once. Empty unless this passkey is the first two-factor method of the user.'),
      }),
    ),
    batch: false,
    async handler(request) {
      const user = await confirmed(request)
      const { name, credential } = request.input
      const { passkey, recoveryCodes } = await twoFactor.addPasskey(user, name, credential)
      return success({ passkey, recoveryCodes: [...recoveryCodes] })
    },
  })
}

const shown = ({ passkeys, ...status }: TwoFactorStatus) => ({ ...status, passkeys: [...passkeys] })
