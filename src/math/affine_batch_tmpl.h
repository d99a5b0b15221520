/* math/affine_batch_tmpl.h - provisional: the simplest correct version, to be replaced. */
#undef G_NAME
#undef G_FIELD
#undef G_SCALAR
