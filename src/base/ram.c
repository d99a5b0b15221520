/* base/ram.c - MemAvailable and cgroup limits; any thread. */
#include "base/ram.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A small text file, cut at out_bytes - 1; false if it cannot be read. */
static bool read_small(char *out, size_t out_bytes, const char *root, const char *folder, const char *name)
{
    char    path[8192];
    int     n = snprintf(path, sizeof path, "%s%s%s", root, folder, name), fd;
    ssize_t got;

    if (n < 0 || (size_t)n >= sizeof path)
        return false;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    got = read(fd, out, out_bytes - 1);
    (void)close(fd);
    if (got < 0)
        return false;
    out[got] = '\0';
    return true;
}

static uint64_t mem_available(const char *root)
{
    char     text[4096], *line;
    uint64_t kib;

    if (!read_small(text, sizeof text, root, "/proc", "/meminfo"))
        return 0;
    line = strstr(text, "MemAvailable:");
    return line != NULL && sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1 && kib <= UINT64_MAX / 1024 ? kib * 1024
                                                                                                         : 0;
}

/* What is left under one folder's limit; UINT64_MAX: no limit.  Page cache counts as used, but the kernel takes it back
 * when it is needed: inactive files are added again. */
static uint64_t cgroup_left(const char *root, const char *folder)
{
    char     full[4096 + 32], text[4096], *line;
    uint64_t limit, used, cache = 0, left;

    (void)snprintf(full, sizeof full, "/sys/fs/cgroup%s", folder);
    if (!read_small(text, sizeof text, root, full, "/memory.max") || sscanf(text, "%" SCNu64, &limit) != 1 ||
        !read_small(text, sizeof text, root, full, "/memory.current") || sscanf(text, "%" SCNu64, &used) != 1)
        return UINT64_MAX;
    if (read_small(text, sizeof text, root, full, "/memory.stat") && (line = strstr(text, "inactive_file ")) != NULL)
        (void)sscanf(line, "inactive_file %" SCNu64, &cache);
    left = used < limit ? limit - used : 0;
    return cache <= limit - left ? left + cache : limit;
}

uint64_t ram_available(const char *root)
{
    char     text[4096], *folder, *end, *slash;
    uint64_t available = mem_available(root);

    if (!read_small(text, sizeof text, root, "/proc/self", "/cgroup"))
        return available;
    folder = strncmp(text, "0::", 3) == 0 ? text : strstr(text, "\n0::");
    folder = folder != NULL ? strchr(folder, '/') : NULL;
    if (folder == NULL)
        return available;
    end = strchr(folder, '\n');
    if (end != NULL)
        *end = '\0';
    for (;;) {
        uint64_t left = cgroup_left(root, folder);

        available = left < available ? left : available;
        slash = strrchr(folder, '/');
        if (slash == NULL)
            return available;
        *slash = '\0'; /* "" is the root */
    }
}
