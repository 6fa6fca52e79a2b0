import { toggle } from 'pentad'

export const redirectSettings = {
  redirects: toggle('on', 'Redirects', 'Applies the redirects that you manage under SEO → Redirects.', 'redirects'),
  autoRedirectSlugChange: toggle(
    'on',
    'Automatic redirects for changed slugs',
    'Creates a redirect from the old URL when the URL of a published post, page, category, or tag changes.',
    'redirects',
  ),
}
