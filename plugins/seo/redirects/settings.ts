import { toggle } from 'pentad'

export const redirectSettings = {
  redirects: toggle('on', 'Redirects', 'Sends visitors on by the redirect rules.', 'redirects'),
  autoRedirectSlugChange: toggle(
    'on',
    'Redirects for changed slugs',
    'A published page, category or tag that gets another address makes a rule from the old one.',
    'redirects',
  ),
}
