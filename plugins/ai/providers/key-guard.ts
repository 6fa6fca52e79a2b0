import { type ExtensionHost, RestError } from 'pentad'

/**
 * A stored key goes to the server that it was entered for: whoever enters another server enters its key too, as a browser
 * asks for a password again at another site. So nobody learns a key by having it sent to a server of theirs.
 */
export function guardCompatibleKey({ hooks }: Pick<ExtensionHost, 'hooks'>): void {
  hooks.addAction('ai_settings_update:before', (changes, current) => {
    const { compatibleBaseUrl: next, compatibleApiKey: key } = changes
    if (typeof next !== 'string' || next === '' || key !== undefined || !current.compatibleApiKey) return
    if (originOf(next) === originOf(String(current.compatibleBaseUrl))) return
    const message = 'Enter the API key of the new server too, or empty it.'
    throw new RestError('rest_invalid_param', message, { status: 400, params: { compatibleApiKey: message } })
  })
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin
}
