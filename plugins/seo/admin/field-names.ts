import { __ } from 'pentad/admin/i18n.ts'

const names: Readonly<Record<string, string>> = {
  'meta._seo_title': __('Search title', 'pentad'),
  'meta._seo_description': __('Search description', 'pentad'),
  'meta._seo_canonical': __('Canonical address', 'pentad'),
  'meta._seo_noindex': __('Hidden from search engines', 'pentad'),
  'meta._seo_nofollow': __('Links not followed', 'pentad'),
  'meta._seo_og_title': __('Sharing title', 'pentad'),
  'meta._seo_og_description': __('Sharing description', 'pentad'),
  'meta._seo_og_image': __('Sharing image', 'pentad'),
  'meta._seo_x_title': __('Title on X', 'pentad'),
  'meta._seo_x_description': __('Description on X', 'pentad'),
  'meta._seo_x_image': __('Image on X', 'pentad'),
  'meta._seo_primary_category': __('Primary category', 'pentad'),
  'meta._seo_schema_type': __('Type in structured data', 'pentad'),
  'meta._seo_focus_keyword': __('Focus keyword', 'pentad'),
}

export default names
