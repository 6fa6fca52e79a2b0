import { __ } from 'pentad/admin/i18n.ts'

const names: Readonly<Record<string, string>> = {
  'meta._seo_title': __('SEO title', 'pentad'),
  'meta._seo_description': __('Meta description', 'pentad'),
  'meta._seo_canonical': __('Canonical URL', 'pentad'),
  'meta._seo_noindex': __('Hide from search engines', 'pentad'),
  'meta._seo_nofollow': __('Nofollow links', 'pentad'),
  'meta._seo_og_title': __('Social title', 'pentad'),
  'meta._seo_og_description': __('Social description', 'pentad'),
  'meta._seo_og_image': __('Social image', 'pentad'),
  'meta._seo_x_title': __('X title', 'pentad'),
  'meta._seo_x_description': __('X description', 'pentad'),
  'meta._seo_x_image': __('X image', 'pentad'),
  'meta._seo_primary_category': __('Primary category', 'pentad'),
  'meta._seo_schema_type': __('Schema type', 'pentad'),
  'meta._seo_focus_keyword': __('Focus keyword', 'pentad'),
}

export default names
