import { createRateLimit, type ExtensionHost, RestError, RestResponse, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { Visitors } from '../users/visitor.ts'
import type { Welcome } from './automation/welcome.ts'
import type { PushHosts } from './push-host.ts'
import { authKey, endpointField, readSubscription, subscriptionFields } from './subscription-input.ts'
import type { SubscriptionRows } from './subscriptions.ts'

/** Requests per minute and new subscribers per day from one network; a company may share one address. */
const CALLS_A_MINUTE = 120
const NEW_A_DAY = 1000

/** Maximum row id in every database. */
const LARGEST_ID = 2_147_483_647

const idResponse = successSchema(z.object({ id: z.int() }))

/** `pwa/v1/push-subscription/…`: public routes for browsers. The `auth` key proves ownership of a subscription. */
export function registerSubscriptionRoutes(
  host: ExtensionHost,
  parts: {
    subscriptions: SubscriptionRows
    hosts: PushHosts
    visitors: Visitors
    welcome: Welcome
  },
): void {
  const { subscriptions, hosts, visitors, welcome } = parts
  const calls = createRateLimit({
    ...{ points: CALLS_A_MINUTE, seconds: 60, message: 'Too many requests. Try again later.' },
    shared: { name: 'push', store: host.rateLimitStore },
  })
  const newOnes = createRateLimit({
    points: NEW_A_DAY,
    seconds: 86_400,
    message: 'Too many subscriptions from this network. Try again tomorrow.',
    shared: { name: 'push-subscriptions', store: host.rateLimitStore },
  })
  const fields = subscriptionFields(hosts)
  const auth = authKey.optional().describe('The `auth` key of the existing subscription, which proves ownership.')

  host.rest.registerRoute('pwa/v1', {
    method: 'POST',
    path: '/push-subscription/add',
    access: 'public',
    summary: 'Subscribes a browser to notifications.',
    input: z.object(fields),
    response: idResponse,
    async handler(request) {
      await calls.consume(request.clientAddress)
      const given = readSubscription(request.input) ?? throwMissingKeys()
      await newOnes.check(request.clientAddress)
      const { user } = request
      const { id, isNew } = await subscriptions.add(given, { user }, await visitors.describe(request))
      if (!isNew) return success({ id })
      await newOnes.consume(request.clientAddress)
      await welcome(id, given.endpoint)
      return new RestResponse(success({ id }), { status: 201 })
    },
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'PUT',
    path: '/push-subscription/update',
    access: 'public',
    summary: 'Replaces the subscription of a browser.',
    input: z.object({
      ...fields,
      endpoint: fields.endpoint.describe('Endpoint of the new subscription.'),
      oldEndpoint: fields.endpoint.describe('Endpoint of the existing subscription.'),
      auth,
    }),
    response: idResponse,
    async handler({ input, user, clientAddress }) {
      await calls.consume(clientAddress)
      const given = readSubscription(input) ?? throwMissingKeys()
      return success({ id: await subscriptions.replace(input.oldEndpoint, given, { user, auth: input.auth }) })
    },
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'POST',
    path: '/push-subscription/sync',
    access: 'public',
    summary: 'Links a subscription to the current user, or unlinks it.',
    input: z.object({ endpoint: endpointField(hosts), auth, keys: z.object({ auth: authKey }).optional() }),
    response: successSchema(z.object({ id: z.int(), userId: z.int().nullable() })),
    async handler({ input, user, clientAddress }) {
      await calls.consume(clientAddress)
      return success(await subscriptions.bind(input.endpoint, { user, auth: input.auth ?? input.keys?.auth }))
    },
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'DELETE',
    path: '/push-subscription/remove',
    access: 'public',
    summary: 'Removes a subscription.',
    input: z.object({
      endpoint: endpointField(hosts).optional(),
      id: z
        .int()
        .min(1)
        .max(LARGEST_ID)
        .optional()
        .describe('ID of the subscription. Administrators can send it instead of the endpoint.'),
      auth,
      keys: z.object({ auth: authKey }).optional(),
    }),
    response: successSchema(z.object({ removed: z.literal(true) })),
    async handler(request) {
      await calls.consume(request.clientAddress)
      const { endpoint, id, auth, keys } = request.input
      const { user } = request
      if (id !== undefined) {
        if (!(await request.can('manage_options'))) throwForbidden(user !== null)
        await subscriptions.removeById(id)
      } else if (endpoint !== undefined) {
        const isAdministrator = await request.can('manage_options')
        await subscriptions.remove(endpoint, isAdministrator ? 'administrator' : { user, auth: auth ?? keys?.auth })
      } else throwMissing('endpoint')
      return success({ removed: true })
    },
  })
}

function throwMissingKeys(): never {
  throwMissing('keys')
}

function throwMissing(name: string): never {
  const message = `Missing parameter(s): ${name}`
  throw new RestError('rest_missing_callback_param', message, { status: 400, params: [name] })
}

function throwForbidden(isSignedIn: boolean): never {
  const message = 'Sorry, you are not allowed to do that.'
  throw new RestError('rest_forbidden', message, { status: isSignedIn ? 403 : 401 })
}
