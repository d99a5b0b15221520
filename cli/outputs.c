/* cli/outputs.c - is an output also an input? */
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "cli.h"

/* What a name leads to: an existing file, or a name to be in an existing folder. */
struct target {
    bool        exists, regular, known;
    dev_t       device;
    ino_t       inode;
    const char *name;
};

static bool target_find(struct target *out, const char *path)
{
    struct stat info;
    const char *slash = strrchr(path, '/');
    size_t      folder_bytes = slash ? (size_t)(slash - path) : 0;
    char       *folder;

    *out = (struct target){ .name = slash ? slash + 1 : path };
    out->exists = out->known = stat(path, &info) == 0;
    if (!out->exists) {
        folder = mem_new(folder_bytes + 2, 1);
        if (!folder)
            return false;
        if (folder_bytes)
            memcpy(folder, path, folder_bytes);
        else
            folder[0] = slash ? '/' : '.';
        out->known = stat(folder, &info) == 0;
        mem_free(folder);
    }
    if (out->known) {
        out->regular = S_ISREG(info.st_mode);
        out->device = info.st_dev;
        out->inode = info.st_ino;
    }
    return true;
}

static bool targets_clash(const struct target *a, const struct target *b)
{
    if (!a->known || !b->known || a->exists != b->exists || a->device != b->device || a->inode != b->inode)
        return false;
    return a->exists ? a->regular : strcmp(a->name, b->name) == 0; /* /dev/null may serve twice */
}

cuzk_status outputs_distinct(const char *const *outputs, size_t output_count, const char *const *inputs,
                             size_t input_count, struct cuzk_err *err)
{
    for (size_t i = 0; i < output_count; i++) {
        struct target output, other;

        if (!target_find(&output, outputs[i]))
            return err_set(err, CUZK_E_IO, "no memory for a path");
        for (size_t k = 0; k < i + input_count; k++) {
            const char *path = k < i ? outputs[k] : inputs[k - i];

            if (!path)
                continue;
            if (!target_find(&other, path))
                return err_set(err, CUZK_E_IO, "no memory for a path");
            if (targets_clash(&output, &other))
                return err_set(err, CUZK_E_USAGE, "the output %s is the same file as %s %s", outputs[i],
                               k < i ? "the output" : "the input", path);
        }
    }
    return CUZK_OK;
}
