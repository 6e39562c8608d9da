#pragma once
#include "CLinuxFiles.h"
