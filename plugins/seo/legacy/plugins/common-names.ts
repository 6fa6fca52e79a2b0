import type { Meaning } from '../meanings.ts'

/** Variables that several plugins share, named first by Yoast SEO. */
export const COMMON_NAMES: Readonly<Record<string, Meaning>> = {
  currentdate: 'currentDate',
  currentday: 'currentDay',
  currentmonth: 'currentMonth',
  currenttime: 'currentTime',
  currentyear: 'currentYear',
  date: 'date',
  excerpt: 'excerpt',
  excerpt_only: 'excerptOnly',
  id: 'id',
  modified: 'modified',
  name: 'author',
  page: 'page',
  pagenumber: 'pageNumber',
  pagetotal: 'pageTotal',
  parent_title: 'parentTitle',
  pt_plural: 'types',
  pt_single: 'type',
  sep: 'separator',
  sitedesc: 'tagline',
  sitename: 'siteName',
  term_description: 'termDescription',
  title: 'title',
  user_description: 'authorBio',
}
