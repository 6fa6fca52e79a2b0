import { type ExtensionHost, RestError, type Settings } from 'pentad'

/**
 * A stored key goes to the server that it was entered for: whoever enters another server enters its key too, as a browser
 * asks for a password again at another site, and a server that goes takes its key along. So nobody learns a key by having
 * it sent to a server of theirs.
 */
export function guardCompatibleKey({ hooks }: Pick<ExtensionHost, 'hooks'>, settings: Pick<Settings, 'update'>): void {
  hooks.addAction('ai_settings_update:before', ({ compatibleBaseUrl: next, compatibleApiKey: key }, current) => {
    const server = originOf(current.compatibleBaseUrl)
    if (key !== undefined || !current.compatibleApiKey || server === undefined) return
    if (originOf(next) === undefined || originOf(next) === server) return
    const message = 'Enter the API key of the new server too, or empty it.'
    throw new RestError('rest_invalid_param', message, { status: 400, params: { compatibleApiKey: message } })
  })

  hooks.addAction('ai_settings_update:after', async (merged, previous) => {
    const isGone =
      originOf(merged.compatibleBaseUrl) === undefined && originOf(previous.compatibleBaseUrl) !== undefined
    if (isGone && merged.compatibleApiKey) await settings.update({ compatibleApiKey: '' })
  })
}

function originOf(url: unknown): string | undefined {
  return typeof url === 'string' ? URL.parse(url)?.origin : undefined
}
