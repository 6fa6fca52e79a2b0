import { RestError } from 'pentad'

/** @throws RestError 409 `ai_helpdesk_off` if the helpdesk is turned off */
export function requireHelpdesk(setting: 'on' | 'off'): void {
  if (setting === 'off') throw new RestError('ai_helpdesk_off', 'The helpdesk is turned off.', { status: 409 })
}
